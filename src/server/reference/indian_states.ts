/**
 * What no package carries of the Indian states: the GST state code (GSTN's list of state codes)
 * and GeoNames' number of the state, keyed by the ISO 3166-2 code without its country.
 */
export const INDIAN_STATES: Readonly<
  Record<string, { gst: string; geonames: string[]; unionTerritory?: true; name?: string }>
> = {
  AN: { gst: '35', geonames: ['01'], unionTerritory: true },
  AP: { gst: '37', geonames: ['02'] },
  AR: { gst: '12', geonames: ['30'] },
  AS: { gst: '18', geonames: ['03'] },
  BR: { gst: '10', geonames: ['34'] },
  CG: { gst: '22', geonames: ['37'] },
  CH: { gst: '04', geonames: ['05'], unionTerritory: true },
  DH: { gst: '26', geonames: ['06', '32'], unionTerritory: true },
  DL: { gst: '07', geonames: ['07'], unionTerritory: true },
  GA: { gst: '30', geonames: ['33'] },
  GJ: { gst: '24', geonames: ['09'] },
  HP: { gst: '02', geonames: ['11'] },
  HR: { gst: '06', geonames: ['10'] },
  JH: { gst: '20', geonames: ['38'] },
  JK: { gst: '01', geonames: ['12'], unionTerritory: true },
  KA: { gst: '29', geonames: ['19'] },
  KL: { gst: '32', geonames: ['13'] },
  LA: { gst: '38', geonames: ['41'], unionTerritory: true },
  LD: { gst: '31', geonames: ['14'], unionTerritory: true },
  MH: { gst: '27', geonames: ['16'] },
  ML: { gst: '17', geonames: ['18'] },
  MN: { gst: '14', geonames: ['17'] },
  MP: { gst: '23', geonames: ['35'] },
  MZ: { gst: '15', geonames: ['31'] },
  NL: { gst: '13', geonames: ['20'] },
  OD: { gst: '21', geonames: ['21'] },
  PB: { gst: '03', geonames: ['23'] },
  PY: { gst: '34', geonames: ['22'], unionTerritory: true, name: 'Puducherry' },
  RJ: { gst: '08', geonames: ['24'] },
  SK: { gst: '11', geonames: ['29'] },
  TN: { gst: '33', geonames: ['25'] },
  TR: { gst: '16', geonames: ['26'] },
  TS: { gst: '36', geonames: ['40'] },
  UK: { gst: '05', geonames: ['39'] },
  UP: { gst: '09', geonames: ['36'] },
  WB: { gst: '19', geonames: ['28'] },
};

/** Official names where GeoNames still has the older one. */
export const CITY_NAMES: Readonly<Record<string, string>> = {
  Cochin: 'Kochi',
  Mysore: 'Mysuru',
  Haora: 'Howrah',
  'Dehra Dun': 'Dehradun',
  Bhubaneshwar: 'Bhubaneswar',
  Alleppey: 'Alappuzha',
  Calicut: 'Kozhikode',
  Quilon: 'Kollam',
  Trichur: 'Thrissur',
  Palghat: 'Palakkad',
  Belgaum: 'Belagavi',
  Gulbarga: 'Kalaburagi',
  Mangalore: 'Mangaluru',
  Hubli: 'Hubballi',
  Pondicherry: 'Puducherry',
};
