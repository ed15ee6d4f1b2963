type Code = readonly [code: string, description: string];

/**
 * Goods: the chapters of the Harmonised System as India's customs tariff names them (public law, shortened), and the
 * headings that the trades of the product meet most. No package with a free licence has the whole list; further codes are
 * entered or imported.
 */
export const HSN_CODES: readonly Code[] = [
  ['01', 'Live animals'], ['02', 'Meat'], ['03', 'Fish'], ['04', 'Dairy produce, eggs, honey'], ['05', 'Other products of animals'], ['06', 'Live trees and plants'], ['07', 'Vegetables'], ['08', 'Fruit and nuts'],
  ['09', 'Coffee, tea and spices'], ['10', 'Cereals'], ['11', 'Milling products'], ['12', 'Oil seeds'], ['13', 'Gums and resins'], ['14', 'Vegetable plaiting materials'], ['15', 'Fats and oils'], ['16', 'Preparations of meat or fish'],
  ['17', 'Sugars'], ['18', 'Cocoa'], ['19', 'Preparations of cereals, bakery'], ['20', 'Preparations of vegetables or fruit'], ['21', 'Miscellaneous edible preparations'], ['22', 'Beverages'], ['23', 'Residues, animal feed'], ['24', 'Tobacco'],
  ['25', 'Salt, stone, cement'], ['26', 'Ores'], ['27', 'Mineral fuels and oils'], ['28', 'Inorganic chemicals'], ['29', 'Organic chemicals'], ['30', 'Pharmaceutical products'], ['31', 'Fertilisers'], ['32', 'Paints and dyes'],
  ['33', 'Perfumery and cosmetics'], ['34', 'Soap, lubricants, waxes'], ['35', 'Glues and enzymes'], ['36', 'Explosives and matches'], ['37', 'Photographic goods'], ['38', 'Miscellaneous chemicals'], ['39', 'Plastics'], ['40', 'Rubber'],
  ['41', 'Hides and leather'], ['42', 'Leather goods'], ['43', 'Furskins'], ['44', 'Wood'], ['45', 'Cork'], ['46', 'Basketware'], ['47', 'Pulp'], ['48', 'Paper and paperboard'],
  ['49', 'Books and printed matter'], ['50', 'Silk'], ['51', 'Wool'], ['52', 'Cotton'], ['53', 'Other vegetable fibres'], ['54', 'Man-made filaments'], ['55', 'Man-made staple fibres'], ['56', 'Wadding, ropes, twine'],
  ['57', 'Carpets'], ['58', 'Special fabrics'], ['59', 'Coated textiles'], ['60', 'Knitted fabrics'], ['61', 'Knitted clothes'], ['62', 'Woven clothes'], ['63', 'Other textile articles'], ['64', 'Footwear'],
  ['65', 'Headgear'], ['66', 'Umbrellas'], ['67', 'Feathers and artificial flowers'], ['68', 'Articles of stone or cement'], ['69', 'Ceramics'], ['70', 'Glass'], ['71', 'Precious stones and metals, jewellery'], ['72', 'Iron and steel'],
  ['73', 'Articles of iron or steel'], ['74', 'Copper'], ['75', 'Nickel'], ['76', 'Aluminium'], ['78', 'Lead'], ['79', 'Zinc'], ['80', 'Tin'], ['81', 'Other base metals'],
  ['82', 'Tools and cutlery'], ['83', 'Miscellaneous articles of base metal'], ['84', 'Machinery'], ['85', 'Electrical machinery'], ['86', 'Railway equipment'], ['87', 'Vehicles'], ['88', 'Aircraft'], ['89', 'Ships'],
  ['90', 'Instruments'], ['91', 'Clocks and watches'], ['92', 'Musical instruments'], ['93', 'Arms'], ['94', 'Furniture, lamps'], ['95', 'Toys and sports goods'], ['96', 'Miscellaneous manufactured articles'], ['97', 'Works of art'],
  ['1101', 'Wheat flour'], ['1905', 'Bread, biscuits, bakery'], ['190531', 'Sweet biscuits'], ['2710', 'Petroleum oils, lubricants'], ['3401', 'Soap'], ['340111', 'Toilet soap'], ['4010', 'Belts of rubber'], ['4016', 'Other articles of rubber'],
  ['4810', 'Coated paper and paperboard'], ['7113', 'Jewellery of precious metal'], ['711311', 'Jewellery of silver'], ['711319', 'Jewellery of other precious metal'], ['7114', 'Goldsmiths’ and silversmiths’ wares'], ['7312', 'Wire ropes of iron or steel'],
  ['8301', 'Locks and keys'], ['8413', 'Pumps for liquids'], ['8425', 'Pulley tackle, hoists, winches'], ['8428', 'Lifts, escalators and handling machinery'], ['842810', 'Lifts and skip hoists'], ['8431', 'Parts of lifting machinery'], ['843131', 'Parts of lifts, skip hoists or escalators'],
  ['8481', 'Taps and valves'], ['8482', 'Bearings'], ['8483', 'Shafts, gears, pulleys'], ['8501', 'Electric motors'], ['8504', 'Transformers, converters, drives'], ['8507', 'Accumulators'], ['8536', 'Switches, relays, connectors'], ['8537', 'Boards and panels'],
  ['8544', 'Wires and cables'], ['9030', 'Instruments for electrical quantities'], ['9031', 'Measuring instruments'], ['9405', 'Lamps and lighting'],
];

/** Services: groups of the scheme of classification under GST (public notification) that the trades of the product meet. */
export const SAC_CODES: readonly Code[] = [
  ['9954', 'Construction services'], ['995466', 'Installation of lifts and escalators'], ['9961', 'Wholesale trade'], ['9962', 'Retail trade'], ['9965', 'Goods transport'], ['9966', 'Rental of transport vehicles'], ['9967', 'Supporting services in transport'],
  ['9971', 'Financial services'], ['9972', 'Real estate services'], ['9973', 'Leasing or rental'], ['9982', 'Legal and accounting services'], ['9983', 'Other professional services'], ['9984', 'Telecommunication and information'], ['9985', 'Support services'],
  ['9987', 'Maintenance, repair and installation'], ['998718', 'Maintenance and repair of lifts and escalators'], ['998717', 'Maintenance and repair of commercial machinery'], ['998719', 'Maintenance and repair of other machinery'], ['998739', 'Installation of other goods'], ['9988', 'Manufacturing services on goods of others'], ['9997', 'Other services'],
];
