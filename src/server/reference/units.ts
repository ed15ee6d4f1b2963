/**
 * Units with their GST codes: the Unique Quantity Codes that the GST portal accepts in returns (public list of the
 * Goods and Services Tax Network), with the unit's usual short form, decimals and dimension.
 */
export const UNITS: readonly [code: string, name: string, uqc: string, decimals: number, dimension: string][] = [
  ['NOS', 'Numbers', 'NOS', 0, 'count'], ['PCS', 'Pieces', 'PCS', 0, 'count'], ['UNT', 'Units', 'UNT', 0, 'count'], ['PRS', 'Pairs', 'PRS', 0, 'count'], ['DOZ', 'Dozens', 'DOZ', 0, 'count'],
  ['SET', 'Sets', 'SET', 0, 'set'], ['PAC', 'Packs', 'PAC', 0, 'count'], ['BOX', 'Boxes', 'BOX', 0, 'count'], ['BAG', 'Bags', 'BAG', 0, 'count'], ['BTL', 'Bottles', 'BTL', 0, 'count'],
  ['BUN', 'Bunches', 'BUN', 0, 'count'], ['CAN', 'Cans', 'CAN', 0, 'count'], ['CTN', 'Cartons', 'CTN', 0, 'count'], ['DRM', 'Drums', 'DRM', 0, 'count'], ['ROL', 'Rolls', 'ROL', 0, 'count'],
  ['TUB', 'Tubes', 'TUB', 0, 'count'], ['TBS', 'Tablets', 'TBS', 0, 'count'], ['MTR', 'Metres', 'MTR', 3, 'length'], ['CMS', 'Centimetres', 'CMS', 1, 'length'], ['KME', 'Kilometres', 'KME', 3, 'length'],
  ['FTS', 'Feet', 'OTH', 2, 'length'], ['YDS', 'Yards', 'YDS', 2, 'length'], ['SQM', 'Square metres', 'SQM', 3, 'area'], ['SQF', 'Square feet', 'SQF', 2, 'area'], ['KG', 'Kilograms', 'KGS', 3, 'mass'],
  ['GMS', 'Grams', 'GMS', 3, 'mass'], ['TON', 'Tonnes', 'TON', 3, 'mass'], ['LTR', 'Litres', 'LTR', 3, 'volume'], ['MLT', 'Millilitres', 'MLT', 1, 'volume'], ['KLR', 'Kilolitres', 'KLR', 3, 'volume'],
  ['BAL', 'Bales', 'BAL', 0, 'count'], ['BDL', 'Bundles', 'BDL', 0, 'count'], ['BKL', 'Buckles', 'BKL', 0, 'count'], ['GRS', 'Gross', 'GRS', 0, 'count'], ['GGK', 'Great gross', 'GGK', 0, 'count'],
  ['TGM', 'Ten gross', 'TGM', 0, 'count'], ['THD', 'Thousands', 'THD', 3, 'count'], ['BOU', 'Billions of units', 'BOU', 3, 'count'], ['SQY', 'Square yards', 'SQY', 2, 'area'], ['GYD', 'Gross yards', 'GYD', 2, 'length'],
  ['CBM', 'Cubic metres', 'CBM', 3, 'volume'], ['CCM', 'Cubic centimetres', 'CCM', 1, 'volume'], ['UGS', 'US gallons', 'UGS', 3, 'volume'], ['QTL', 'Quintals', 'QTL', 3, 'mass'], ['MTS', 'Metric tons', 'MTS', 3, 'mass'],
  ['HRS', 'Hours', 'OTH', 2, 'time'], ['DAY', 'Days', 'OTH', 1, 'time'], ['PTS', 'Points', 'OTH', 2, 'score'], ['PCT', 'Per cent', 'OTH', 2, 'score'], ['OTH', 'Others', 'OTH', 2, 'count'],
];
