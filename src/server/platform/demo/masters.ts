/** Shared lists of the demo companies: grades, designations, functions, skills and the like. */

/**
 * [code, name, band, minimum and maximum annual salary in rupees, notice days, probation months, travel class, daily
 * allowance]
 */
export const GRADES: [string, string, string, number, number, number, number, string, number][] = [
  ['G1', 'Board and chief executives', 'A', 6000000, 24000000, 90, 0, 'business', 6000],
  ['G2', 'Heads', 'B', 2800000, 6500000, 90, 6, 'economy', 4500],
  ['G3', 'Managers', 'C', 1300000, 2900000, 60, 6, 'economy', 3000],
  ['G4', 'Supervisors and senior executives', 'D', 600000, 1400000, 45, 6, '2ac', 2000],
  ['G5', 'Executives', 'E', 360000, 720000, 30, 6, '3ac', 1500],
  ['G6', 'Technicians and associates', 'F', 240000, 480000, 30, 6, '3ac', 1000],
  ['G7', 'Trainees', 'G', 180000, 260000, 15, 12, 'sleeper', 700],
];

/** [code, name, short name, grade, level, usual manager] */
export const DESIGNATIONS: [string, string, string, string, number, string | null][] = [
  ['CHM', 'Chairman and Managing Director', 'CMD', 'G1', 1, null],
  ['CEO', 'Chief Executive Officer', 'CEO', 'G1', 1, null],
  ['CFO', 'Chief Financial Officer', 'CFO', 'G1', 2, 'CHM'],
  ['CSE', 'Company Secretary', 'Co. Secretary', 'G2', 2, 'CHM'],
  ['HSV', 'Head of Service', 'Head Service', 'G2', 2, 'CEO'],
  ['HIN', 'Head of Installation', 'Head Install.', 'G2', 2, 'CEO'],
  ['HSL', 'Head of Sales', 'Head Sales', 'G2', 2, 'CEO'],
  ['HSC', 'Head of Supply Chain', 'Head SCM', 'G2', 2, 'CEO'],
  ['HHR', 'Head of Human Resources', 'Head HR', 'G2', 2, 'CEO'],
  ['HIT', 'Head of Information Technology', 'Head IT', 'G2', 2, 'CEO'],
  ['HQA', 'Head of Quality and Safety', 'Head Q&S', 'G2', 2, 'CEO'],
  ['HRT', 'Head of Retail Operations', 'Head Retail', 'G2', 2, 'CEO'],
  ['HMR', 'Head of Merchandising', 'Head Merch.', 'G2', 2, 'CEO'],
  ['BUH', 'Business Head', 'Business Head', 'G2', 2, 'CEO'],
  ['BRM', 'Branch Manager', 'Branch Mgr', 'G3', 3, 'HSV'],
  ['SRM', 'Service Manager', 'Service Mgr', 'G3', 3, 'HSV'],
  ['STM', 'Store Manager', 'Store Mgr', 'G3', 3, 'HRT'],
  ['PLM', 'Plant Manager', 'Plant Mgr', 'G3', 3, 'BUH'],
  ['SLM', 'Sales Manager', 'Sales Mgr', 'G3', 3, 'HSL'],
  ['ACM', 'Accounts Manager', 'Accounts Mgr', 'G3', 3, 'CFO'],
  ['HRM', 'HR Manager', 'HR Mgr', 'G3', 3, 'HHR'],
  ['SUP', 'Service Supervisor', 'Supervisor', 'G4', 4, 'SRM'],
  ['DSP', 'Dispatcher', 'Dispatcher', 'G4', 4, 'SRM'],
  ['SHS', 'Shift Supervisor', 'Shift Sup.', 'G4', 4, 'PLM'],
  ['FLS', 'Floor Supervisor', 'Floor Sup.', 'G4', 4, 'STM'],
  ['STK', 'Storekeeper', 'Storekeeper', 'G4', 4, 'HSC'],
  ['ACC', 'Accountant', 'Accountant', 'G4', 4, 'ACM'],
  ['SXE', 'Sales Executive', 'Sales Exec.', 'G5', 4, 'SLM'],
  ['HRE', 'HR Executive', 'HR Exec.', 'G5', 4, 'HRM'],
  ['CCE', 'Customer Care Executive', 'Care Exec.', 'G5', 5, 'DSP'],
  ['AXE', 'Accounts Executive', 'Accounts Exec.', 'G5', 5, 'ACC'],
  ['ITE', 'Systems Engineer', 'Systems Engr', 'G5', 4, 'HIT'],
  ['QAE', 'Quality Engineer', 'Quality Engr', 'G5', 4, 'HQA'],
  ['TEC', 'Lift Technician', 'Technician', 'G6', 5, 'SUP'],
  ['FIT', 'Lift Fitter', 'Fitter', 'G6', 5, 'SUP'],
  ['SAS', 'Sales Associate', 'Associate', 'G6', 5, 'FLS'],
  ['OPR', 'Machine Operator', 'Operator', 'G6', 5, 'SHS'],
  ['TRN', 'Trainee', 'Trainee', 'G7', 5, null],
];

/** [code, name, parent] */
export const FUNCTIONS: [string, string, string | null][] = [
  ['OPS', 'Operations', null],
  ['SVC', 'Field service', 'OPS'],
  ['MFG', 'Manufacturing', 'OPS'],
  ['SCM', 'Supply chain', 'OPS'],
  ['COM', 'Commercial', null],
  ['MKT', 'Marketing', 'COM'],
  ['FIN', 'Finance', null],
  ['PPL', 'People', null],
];

/** [code, name, type] */
export const SEGMENTS: [string, string, 'market' | 'product' | 'customer' | 'geography'][] = [
  ['FOO', 'Foods', 'product'],
  ['PER', 'Personal care', 'product'],
  ['PAP', 'Paperboards', 'product'],
  ['CIG', 'Cigarettes', 'product'],
  ['RES', 'Residential buildings', 'customer'],
  ['COM', 'Commercial buildings', 'customer'],
  ['HOS', 'Hospitals and hotels', 'customer'],
  ['GOV', 'Government', 'market'],
  ['JEW', 'Jewellery', 'product'],
  ['GIF', 'Gifts', 'product'],
];

/** Group → competencies as [name, type]. */
export const SKILLS: [string, string, [string, 'technical' | 'behavioural' | 'leadership'][]][] = [
  [
    'LFT',
    'Lift technology',
    [
      ['Traction machine maintenance', 'technical'],
      ['Door drive adjustment', 'technical'],
      ['Controller and VVVF fault finding', 'technical'],
      ['Passenger rescue', 'technical'],
      ['Statutory lift inspection', 'technical'],
    ],
  ],
  [
    'SAF',
    'Safety',
    [
      ['Lock-out and tag-out', 'technical'],
      ['Work at height', 'technical'],
      ['First aid', 'technical'],
      ['Incident reporting', 'behavioural'],
      ['Risk assessment', 'technical'],
    ],
  ],
  [
    'CUS',
    'Customer service',
    [
      ['Complaint handling', 'behavioural'],
      ['Clear reporting', 'behavioural'],
      ['Jewellery counselling', 'technical'],
      ['Selling service contracts', 'technical'],
      ['Keeping promises', 'behavioural'],
    ],
  ],
  [
    'COM',
    'Commercial',
    [
      ['Costing and estimation', 'technical'],
      ['GST and TDS', 'technical'],
      ['Contract law basics', 'technical'],
      ['Collections', 'behavioural'],
      ['Negotiation', 'behavioural'],
    ],
  ],
  [
    'PRD',
    'Production',
    [
      ['Machine set-up', 'technical'],
      ['Statistical process control', 'technical'],
      ['Good manufacturing practice', 'technical'],
      ['Yield improvement', 'technical'],
      ['5S housekeeping', 'behavioural'],
    ],
  ],
  [
    'LEA',
    'Leadership',
    [
      ['Setting priorities', 'leadership'],
      ['Coaching', 'leadership'],
      ['Deciding with data', 'leadership'],
      ['Managing change', 'leadership'],
      ['Running reviews', 'leadership'],
    ],
  ],
];

export const LEVEL_LABELS: [string, string][] = [
  ['Aware', 'Knows the words and asks for help.'],
  ['Learning', 'Does it under supervision.'],
  ['Practising', 'Does it alone in usual cases.'],
  ['Advanced', 'Handles unusual cases and checks others.'],
  ['Expert', 'Sets the standard and teaches it.'],
];

/** [code, name, category, usual HSN or SAC] */
export const BUSINESS_TYPES: [string, string, string, string][] = [
  ['MFR', 'Manufacturer', 'manufacturing', '8428'],
  ['TRD', 'Trader', 'trading', '8431'],
  ['SRV', 'Service provider', 'service', '998718'],
  ['RTL', 'Retailer', 'retail', '7113'],
  ['BLD', 'Builder and developer', 'project', '995411'],
  ['HOS', 'Housing society', 'service', '999512'],
  ['GOV', 'Government department', 'government', '9991'],
  ['OTH', 'Other', 'other', '9997'],
];

/** [code, name, used for, responsible party, remark required] */
export const REASONS: [string, string, string[], 'ours' | 'customer' | 'none', boolean][] = [
  ['LV01', 'Better offer elsewhere', ['leaving'], 'none', false],
  ['LV02', 'Higher studies', ['leaving'], 'none', false],
  ['LV03', 'Family reasons', ['leaving'], 'none', false],
  ['LV04', 'Retirement', ['leaving'], 'none', false],
  ['LV05', 'Contract ended', ['leaving'], 'none', false],
  ['LV06', 'Health', ['leaving'], 'none', false],
  ['WL01', 'Price above the budget', ['walkin_lost'], 'customer', false],
  ['WL02', 'Design or size not in stock', ['walkin_lost'], 'ours', false],
  ['WL03', 'Only looked around', ['walkin_lost'], 'customer', false],
  ['TC01', 'Raised twice', ['ticket_cancel'], 'none', false],
  ['TC02', 'Fault cleared by itself', ['ticket_cancel'], 'none', false],
  ['TC03', 'Not under contract', ['ticket_cancel'], 'customer', false],
  ['TC04', 'Customer withdrew', ['ticket_cancel'], 'customer', false],
  ['VS01', 'Building locked', ['visit_skip', 'reschedule'], 'customer', false],
  ['VS02', 'Lift in use for an event', ['visit_skip', 'reschedule'], 'customer', false],
  ['VS03', 'Power cut', ['visit_skip', 'reschedule'], 'none', false],
  ['VS04', 'Technician on an emergency', ['visit_skip', 'reschedule'], 'ours', false],
  ['VS05', 'Heavy rain or flooding', ['visit_skip', 'reschedule'], 'none', false],
  ['VS06', 'Spare part not here yet', ['reschedule'], 'ours', false],
  ['QL01', 'Price too high', ['quotation_lost'], 'none', true],
  ['QL02', 'Lost to the maker of the lift', ['quotation_lost'], 'none', true],
  ['QL03', 'Lost to a local company', ['quotation_lost'], 'none', true],
  ['QL04', 'No answer from the customer', ['quotation_lost'], 'customer', false],
  ['QC01', 'Scope changed', ['quotation_cancel'], 'customer', false],
  ['QC02', 'Wrong rates used', ['quotation_cancel'], 'ours', true],
  ['CH01', 'Dues over 90 days', ['contract_hold'], 'customer', false],
  ['CH02', 'Modernisation under way', ['contract_hold'], 'none', false],
  ['CH03', 'Building under renovation', ['contract_hold'], 'customer', false],
  ['CC01', 'Asked by the customer', ['contract_change'], 'customer', false],
  ['CC02', 'One date for all lifts', ['contract_change'], 'none', false],
  ['CC03', 'Lift is out of use for works', ['contract_change', 'contract_hold'], 'customer', false],
  ['TR01', 'Owner changed', ['transfer'], 'none', true],
  ['TR02', 'Society formed', ['transfer'], 'none', false],
  ['BN01', 'Funds insufficient', ['bounce'], 'customer', false],
  ['BN02', 'Signature differs', ['bounce'], 'customer', false],
  ['BN03', 'Cheque out of date', ['bounce'], 'customer', false],
  ['RR01', 'Entered twice', ['receipt_reversal'], 'ours', true],
  ['RR02', 'Wrong customer', ['receipt_reversal'], 'ours', true],
  ['PO01', 'Loyal customer', ['price_override'], 'none', true],
  ['PO02', 'Matching another offer', ['price_override'], 'none', true],
  ['WO01', 'Cannot be recovered', ['write_off'], 'customer', true],
  ['CN01', 'Service not given', ['credit_note'], 'ours', true],
  ['CN02', 'Rate corrected', ['credit_note'], 'ours', true],
  ['MR01', 'Damaged in transit', ['material_reject'], 'none', true],
  ['MR02', 'Wrong part', ['material_reject'], 'ours', true],
  ['CD01', 'Waiting for a document', ['checklist_delay'], 'none', false],
  ['CD02', 'Workload', ['checklist_delay'], 'ours', false],
  ['DA01', 'Created by mistake', ['deactivation'], 'ours', false],
  ['OT01', 'Other', ['other'], 'none', true],
];

export interface DepartmentPlan {
  code: string;
  name: string;
  function: string;
  parts: string[];
}

/** Departments by company id, with their sub-departments. */
export const ACME_DEPARTMENTS: Record<number, DepartmentPlan[]> = {
  1: [
    { code: 'MGT', name: 'Management', function: 'OPS', parts: [] },
    { code: 'SRV', name: 'Service', function: 'SVC', parts: ['Maintenance', 'Repairs', 'Rescue desk'] },
    { code: 'INS', name: 'Installation', function: 'SVC', parts: ['New lifts', 'Modernisation'] },
    { code: 'SAL', name: 'Sales', function: 'COM', parts: ['Contracts', 'New equipment'] },
    { code: 'STO', name: 'Stores and purchase', function: 'SCM', parts: ['Stores', 'Purchase'] },
    { code: 'CCR', name: 'Customer care', function: 'SVC', parts: ['Dispatch', 'Call desk'] },
    { code: 'ACC', name: 'Accounts', function: 'FIN', parts: ['Billing', 'Collections'] },
    { code: 'HRA', name: 'HR and administration', function: 'PPL', parts: [] },
    { code: 'QAS', name: 'Quality and safety', function: 'OPS', parts: [] },
    { code: 'ITS', name: 'Information technology', function: 'OPS', parts: [] },
  ],
  2: [
    { code: 'MGT', name: 'Management', function: 'COM', parts: [] },
    { code: 'RET', name: 'Store operations', function: 'COM', parts: ['Gold', 'Diamond', 'Gifts'] },
    { code: 'MER', name: 'Merchandising', function: 'SCM', parts: ['Buying', 'Design'] },
    { code: 'ACC', name: 'Accounts', function: 'FIN', parts: [] },
    { code: 'HRA', name: 'HR and administration', function: 'PPL', parts: [] },
  ],
  3: [
    { code: 'MGT', name: 'Management', function: 'OPS', parts: [] },
    { code: 'FOO', name: 'Foods', function: 'MFG', parts: ['Staples', 'Snacks'] },
    { code: 'PER', name: 'Personal care', function: 'MFG', parts: ['Soaps', 'Fragrances'] },
    { code: 'PAP', name: 'Paperboards', function: 'MFG', parts: ['Pulp', 'Board machine'] },
    { code: 'CIG', name: 'Cigarettes', function: 'MFG', parts: [] },
    { code: 'SLS', name: 'Sales and distribution', function: 'COM', parts: ['General trade', 'Modern trade'] },
    { code: 'ACC', name: 'Finance', function: 'FIN', parts: ['Planning', 'Accounts payable'] },
    { code: 'HRA', name: 'HR and legal', function: 'PPL', parts: [] },
  ],
};

export const ZENITH_DEPARTMENTS: Record<number, DepartmentPlan[]> = {
  1: [
    { code: 'MGT', name: 'Management', function: 'OPS', parts: [] },
    { code: 'SRV', name: 'Facility services', function: 'SVC', parts: ['Electrical', 'Housekeeping'] },
    { code: 'CCR', name: 'Help desk', function: 'SVC', parts: [] },
    { code: 'HRA', name: 'HR and accounts', function: 'PPL', parts: [] },
  ],
};
