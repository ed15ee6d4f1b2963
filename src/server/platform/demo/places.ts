/** The companies of the Acme group, their branches and the sales geography. Addresses are of real places; the companies are not. */

export interface CompanyPlan {
  id: number;
  code: string;
  name: string;
  legal: string;
  pan: string;
  cin: string;
  tan: string;
  address: string;
  state: string;
  city: string;
  pincode: string;
  phone: string;
  domain: string;
  parent?: number;
}

export const ACME_COMPANIES: CompanyPlan[] = [
  {
    id: 1,
    code: 'ALP',
    name: 'Acme Lifts',
    legal: 'Acme Lifts Pvt Ltd',
    pan: 'AAACA1234B',
    cin: 'U29150TN1998PTC041275',
    tan: 'CHEA04417C',
    address: '48, Mount Road, Guindy',
    state: 'TN',
    city: 'Chennai',
    pincode: '600032',
    phone: '+914442351100',
    domain: 'acmelifts.in',
  },
  {
    id: 2,
    code: 'ARP',
    name: 'Acme Retail',
    legal: 'Acme Retail Pvt Ltd',
    pan: 'AABCA5821K',
    cin: 'U52393MH2004PTC148863',
    tan: 'MUMA31825D',
    address: '201, Zaveri Chambers, Shaikh Memon Street',
    state: 'MH',
    city: 'Mumbai',
    pincode: '400002',
    phone: '+912222401800',
    domain: 'acmeretail.in',
    parent: 1,
  },
  {
    id: 3,
    code: 'ACL',
    name: 'Acme Consumer',
    legal: 'Acme Consumer Ltd',
    pan: 'AADCA9073M',
    cin: 'L15131WB1987PLC042966',
    tan: 'CALA09216F',
    address: '12, Chowringhee Road',
    state: 'WB',
    city: 'Kolkata',
    pincode: '700071',
    phone: '+913322885200',
    domain: 'acmeconsumer.in',
    parent: 1,
  },
];

export const ZENITH_COMPANIES: CompanyPlan[] = [
  {
    id: 1,
    code: 'ZEN',
    name: 'Zenith Facilities',
    legal: 'Zenith Facilities Pvt Ltd',
    pan: 'AAECZ4410Q',
    cin: 'U74900KA2012PTC063371',
    tan: 'BLRZ02914E',
    address: '9, Residency Road',
    state: 'KA',
    city: 'Bengaluru',
    pincode: '560025',
    phone: '+918041287700',
    domain: 'zenithfacilities.in',
  },
];

export interface BranchPlan {
  code: string;
  name: string;
  type: 'head_office' | 'regional_office' | 'branch' | 'depot' | 'factory' | 'warehouse' | 'store' | 'service_centre';
  company: number;
  state: string;
  city: string;
  address: string;
  pincode: string;
  lat: number;
  lng: number;
  phone: string;
  opened: number;
  region?: string;
}

export const ACME_BRANCHES: BranchPlan[] = [
  {
    code: 'CHN',
    name: 'Chennai',
    type: 'head_office',
    company: 1,
    state: 'TN',
    city: 'Chennai',
    address: '48, Mount Road, Guindy',
    pincode: '600032',
    lat: 13.0102,
    lng: 80.2157,
    phone: '+914442351100',
    opened: 1998,
    region: 'TNN',
  },
  {
    code: 'CBE',
    name: 'Coimbatore',
    type: 'branch',
    company: 1,
    state: 'TN',
    city: 'Coimbatore',
    address: '1170, Avinashi Road, Peelamedu',
    pincode: '641004',
    lat: 11.0262,
    lng: 77.0078,
    phone: '+914222571400',
    opened: 2003,
    region: 'TNS',
  },
  {
    code: 'MDU',
    name: 'Madurai',
    type: 'branch',
    company: 1,
    state: 'TN',
    city: 'Madurai',
    address: '27, Bypass Road, S S Colony',
    pincode: '625010',
    lat: 9.9203,
    lng: 78.0936,
    phone: '+914522382900',
    opened: 2007,
    region: 'TNS',
  },
  {
    code: 'BLR',
    name: 'Bengaluru',
    type: 'regional_office',
    company: 1,
    state: 'KA',
    city: 'Bengaluru',
    address: '66, Hosur Road, Koramangala',
    pincode: '560095',
    lat: 12.9342,
    lng: 77.6191,
    phone: '+918025531700',
    opened: 2006,
    region: 'KAR',
  },
  {
    code: 'HYD',
    name: 'Hyderabad',
    type: 'regional_office',
    company: 1,
    state: 'TS',
    city: 'Hyderabad',
    address: '6-3-879, Begumpet Main Road',
    pincode: '500016',
    lat: 17.4435,
    lng: 78.4659,
    phone: '+914023413300',
    opened: 2010,
    region: 'TEL',
  },
  {
    code: 'KOC',
    name: 'Kochi',
    type: 'branch',
    company: 1,
    state: 'KL',
    city: 'Kochi',
    address: '39/2475, M G Road, Ravipuram',
    pincode: '682016',
    lat: 9.9609,
    lng: 76.2896,
    phone: '+914842357600',
    opened: 2013,
    region: 'KER',
  },
  {
    code: 'MUM',
    name: 'Mumbai',
    type: 'head_office',
    company: 2,
    state: 'MH',
    city: 'Mumbai',
    address: '201, Zaveri Chambers, Shaikh Memon Street',
    pincode: '400002',
    lat: 18.9496,
    lng: 72.8298,
    phone: '+912222401800',
    opened: 2004,
    region: 'MHW',
  },
  {
    code: 'PUN',
    name: 'Pune',
    type: 'store',
    company: 2,
    state: 'MH',
    city: 'Pune',
    address: '512, Laxmi Road, Narayan Peth',
    pincode: '411030',
    lat: 18.5147,
    lng: 73.8493,
    phone: '+912024458800',
    opened: 2006,
    region: 'MHW',
  },
  {
    code: 'NGP',
    name: 'Nagpur',
    type: 'store',
    company: 2,
    state: 'MH',
    city: 'Nagpur',
    address: '3, Central Avenue, Itwari',
    pincode: '440002',
    lat: 21.1521,
    lng: 79.1056,
    phone: '+917122767300',
    opened: 2011,
    region: 'MHE',
  },
  {
    code: 'TNG',
    name: 'Chennai T Nagar',
    type: 'store',
    company: 2,
    state: 'TN',
    city: 'Chennai',
    address: '85, Usman Road, T Nagar',
    pincode: '600017',
    lat: 13.0405,
    lng: 80.2337,
    phone: '+914424341200',
    opened: 2014,
    region: 'TNN',
  },
  {
    code: 'KOL',
    name: 'Kolkata',
    type: 'head_office',
    company: 3,
    state: 'WB',
    city: 'Kolkata',
    address: '12, Chowringhee Road',
    pincode: '700071',
    lat: 22.5448,
    lng: 88.3505,
    phone: '+913322885200',
    opened: 1987,
    region: 'WBN',
  },
  {
    code: 'HDW',
    name: 'Haridwar works',
    type: 'factory',
    company: 3,
    state: 'UK',
    city: 'Haridwar',
    address: 'Plot 14, Sector 11, SIDCUL',
    pincode: '249403',
    lat: 29.9525,
    lng: 78.0553,
    phone: '+911334239500',
    opened: 2008,
    region: 'NOR',
  },
  {
    code: 'BCM',
    name: 'Bhadrachalam mill',
    type: 'factory',
    company: 3,
    state: 'TS',
    city: 'Bhadrachalam',
    address: 'Sarapaka Road',
    pincode: '507128',
    lat: 17.6925,
    lng: 80.8617,
    phone: '+918746242300',
    opened: 1992,
    region: 'TEL',
  },
  {
    code: 'DEL',
    name: 'Delhi',
    type: 'regional_office',
    company: 3,
    state: 'DL',
    city: 'Delhi',
    address: '27, Barakhamba Road, Connaught Place',
    pincode: '110001',
    lat: 28.6302,
    lng: 77.2271,
    phone: '+911123355400',
    opened: 1995,
    region: 'NOR',
  },
];

export const ZENITH_BRANCHES: BranchPlan[] = [
  {
    code: 'BLR',
    name: 'Bengaluru',
    type: 'head_office',
    company: 1,
    state: 'KA',
    city: 'Bengaluru',
    address: '9, Residency Road',
    pincode: '560025',
    lat: 12.9667,
    lng: 77.6067,
    phone: '+918041287700',
    opened: 2012,
  },
  {
    code: 'MYS',
    name: 'Mysuru',
    type: 'branch',
    company: 1,
    state: 'KA',
    city: 'Mysuru',
    address: '44, Sayyaji Rao Road',
    pincode: '570001',
    lat: 12.3106,
    lng: 76.6525,
    phone: '+918212422100',
    opened: 2016,
  },
];

export const ZONES = [
  { code: 'SOU', name: 'South' },
  { code: 'WES', name: 'West' },
  { code: 'EAS', name: 'East' },
  { code: 'NOR', name: 'North' },
];

/** Region → zone, states, and its sub-regions with districts ("District: first pin code"). */
export const REGIONS: {
  code: string;
  name: string;
  zone: string;
  state: string;
  subregions: Record<string, string[]>;
}[] = [
  {
    code: 'TNN',
    name: 'Tamil Nadu North',
    zone: 'SOU',
    state: 'TN',
    subregions: {
      'Chennai metro': ['Chennai:600001', 'Chengalpattu:603001'],
      'Vellore belt': ['Vellore:632001', 'Kancheepuram:631501'],
    },
  },
  {
    code: 'TNS',
    name: 'Tamil Nadu South',
    zone: 'SOU',
    state: 'TN',
    subregions: {
      Kongu: ['Coimbatore:641001', 'Tiruppur:641601'],
      'Madurai belt': ['Madurai:625001', 'Dindigul:624001'],
    },
  },
  {
    code: 'KAR',
    name: 'Karnataka',
    zone: 'SOU',
    state: 'KA',
    subregions: {
      'Bengaluru metro': ['Bengaluru Urban:560001', 'Ramanagara:562159'],
      'Mysuru belt': ['Mysuru:570001', 'Mandya:571401'],
    },
  },
  {
    code: 'TEL',
    name: 'Telangana',
    zone: 'SOU',
    state: 'TS',
    subregions: {
      'Hyderabad metro': ['Hyderabad:500001', 'Rangareddy:500030'],
      'Khammam belt': ['Khammam:507001', 'Bhadradri Kothagudem:507101'],
    },
  },
  {
    code: 'KER',
    name: 'Kerala',
    zone: 'SOU',
    state: 'KL',
    subregions: {
      'Central Kerala': ['Ernakulam:682001', 'Thrissur:680001'],
      'South Kerala': ['Thiruvananthapuram:695001', 'Kollam:691001'],
    },
  },
  {
    code: 'MHW',
    name: 'Maharashtra West',
    zone: 'WES',
    state: 'MH',
    subregions: {
      'Mumbai metro': ['Mumbai City:400001', 'Thane:400601'],
      'Pune belt': ['Pune:411001', 'Satara:415001'],
    },
  },
  {
    code: 'MHE',
    name: 'Maharashtra East',
    zone: 'WES',
    state: 'MH',
    subregions: { Vidarbha: ['Nagpur:440001', 'Amravati:444601'], Khandesh: ['Nashik:422001', 'Jalgaon:425001'] },
  },
  {
    code: 'WBN',
    name: 'West Bengal',
    zone: 'EAS',
    state: 'WB',
    subregions: { 'Kolkata metro': ['Kolkata:700001', 'Howrah:711101'] },
  },
  {
    code: 'NOR',
    name: 'Delhi and Uttarakhand',
    zone: 'NOR',
    state: 'DL',
    subregions: { 'Delhi metro': ['New Delhi:110001', 'South Delhi:110017'] },
  },
];

export interface OutletPlan {
  code: string;
  name: string;
  type: 'own' | 'franchise' | 'dealer' | 'distributor' | 'kiosk';
  branch: string;
  district: string;
  state: string;
  city: string;
  address: string;
  pincode: string;
  lat: number;
  lng: number;
  area: number;
  /** Rupees per month. */
  target: number;
  opened: number;
}

export const ACME_OUTLETS: OutletPlan[] = [
  {
    code: 'ZAV',
    name: 'Acme Jewels Zaveri Bazaar',
    type: 'own',
    branch: 'MUM',
    district: 'Mumbai City',
    state: 'MH',
    city: 'Mumbai',
    address: 'Shaikh Memon Street',
    pincode: '400002',
    lat: 18.9494,
    lng: 72.8303,
    area: 3200,
    target: 42000000,
    opened: 2004,
  },
  {
    code: 'THN',
    name: 'Acme Jewels Thane',
    type: 'own',
    branch: 'MUM',
    district: 'Thane',
    state: 'MH',
    city: 'Thane',
    address: 'Gokhale Road, Naupada',
    pincode: '400602',
    lat: 19.1867,
    lng: 72.9749,
    area: 2400,
    target: 21000000,
    opened: 2012,
  },
  {
    code: 'LAX',
    name: 'Acme Jewels Laxmi Road',
    type: 'own',
    branch: 'PUN',
    district: 'Pune',
    state: 'MH',
    city: 'Pune',
    address: '512, Laxmi Road',
    pincode: '411030',
    lat: 18.5147,
    lng: 73.8493,
    area: 2900,
    target: 26500000,
    opened: 2006,
  },
  {
    code: 'ITW',
    name: 'Acme Jewels Itwari',
    type: 'own',
    branch: 'NGP',
    district: 'Nagpur',
    state: 'MH',
    city: 'Nagpur',
    address: '3, Central Avenue',
    pincode: '440002',
    lat: 21.1521,
    lng: 79.1056,
    area: 2100,
    target: 14500000,
    opened: 2011,
  },
  {
    code: 'USM',
    name: 'Acme Jewels T Nagar',
    type: 'own',
    branch: 'TNG',
    district: 'Chennai',
    state: 'TN',
    city: 'Chennai',
    address: '85, Usman Road',
    pincode: '600017',
    lat: 13.0405,
    lng: 80.2337,
    area: 3600,
    target: 38000000,
    opened: 2014,
  },
  {
    code: 'PHX',
    name: 'Acme Gifts Velachery',
    type: 'kiosk',
    branch: 'TNG',
    district: 'Chennai',
    state: 'TN',
    city: 'Chennai',
    address: 'Velachery Main Road',
    pincode: '600042',
    lat: 12.9915,
    lng: 80.2167,
    area: 220,
    target: 1800000,
    opened: 2019,
  },
];
