// The product catalogue: families (`module` on the wire) and product ids (docs/wire.md, "Devices").

export const ALL_FAMILIES = 0
export const ULTRA_STREAM = 1
export const ULTRA_ENCODE = 2
export const PRO_CONVERT_ENCODER = 3
export const PRO_CONVERT_DECODER = 4
export const PRO_CONVERT_AUDIO = 5
export const USB_FUSION = 6
export const DIRECTOR = 7
export const XMIT = 8
export const MODATOR = 9
export const ROUTER = 10
export const USB_CAPTURE = 11
export const OTHERS = 254
export const THIRD_PARTY = 4278190080

/**
 * Value of `api-class` of the vendor's own devices. It decides whether a device of the families Third Party and Others
 * can be controlled (`isInteractive`). The vendor does not publish the value: hub and console compare with this
 * constant only.
 */
export const VENDOR_API_CLASS = 'vendor'

/** An entry of the product catalogue. */
export interface ProductFamily {
  /** Number on the wire. */
  id: number
  /** Proper name, the same in every language. */
  name: string
  /** Position in lists of families, ascending. */
  order: number
  /**
   * Picture: name of an icon of the console (`src/ui/icon.tsx`). The console shows a general one for a name that it
   * does not have.
   */
  pic: string
  /** Whether its devices are built into a rack. */
  hasRack: boolean
  /** Known product ids. */
  products: readonly number[]
  /** Name of its API (`api-definitions.ts`); absent if that depends on the device, or if there is none. */
  api?: string
}

/** The product catalogue. A further family with an existing API is one more row. */
export const PRODUCT_FAMILIES: readonly ProductFamily[] = [
  {
    id: ULTRA_STREAM,
    name: 'Ultra Stream',
    order: 1,
    pic: 'output',
    hasRack: false,
    products: [769, 770],
    api: 'usapi'
  },
  {
    id: ULTRA_ENCODE,
    name: 'Ultra Encode',
    order: 2,
    pic: 'output',
    hasRack: false,
    products: [772, 773, 785, 786, 787, 789, 790],
    api: 'usapi'
  },
  {
    id: PRO_CONVERT_ENCODER,
    name: 'Pro Convert Encoder',
    order: 3,
    pic: 'output',
    hasRack: false,
    products: [1025],
    api: 'mwapi'
  },
  {
    id: PRO_CONVERT_DECODER,
    name: 'Pro Convert Decoder',
    order: 4,
    pic: 'screen',
    hasRack: false,
    products: [1040],
    api: 'mwapi'
  },
  {
    id: PRO_CONVERT_AUDIO,
    name: 'Pro Convert Audio',
    order: 5,
    pic: 'audio',
    hasRack: false,
    products: [],
    api: 'api'
  },
  { id: USB_FUSION, name: 'USB Fusion', order: 6, pic: 'port', hasRack: false, products: [], api: 'mwapi' },
  {
    id: DIRECTOR,
    name: 'Director',
    order: 7,
    pic: 'grid',
    hasRack: false,
    products: [1297, 1305, 1318, 1320],
    api: 'api'
  },
  { id: XMIT, name: 'Xmit', order: 8, pic: 'wireless', hasRack: false, products: [], api: 'api' },
  { id: MODATOR, name: 'Modator', order: 9, pic: 'devices', hasRack: true, products: [], api: 'api' },
  { id: ROUTER, name: 'Router', order: 10, pic: 'channels', hasRack: true, products: [], api: 'api' },
  { id: USB_CAPTURE, name: 'USB Capture', order: 11, pic: 'input', hasRack: false, products: [] },
  { id: THIRD_PARTY, name: 'Third Party', order: 12, pic: 'camera', hasRack: false, products: [] },
  { id: OTHERS, name: 'Others', order: 13, pic: 'more', hasRack: false, products: [] }
]

/** Undefined for an unknown number. */
export function findFamily(id: number): ProductFamily | undefined {
  return PRODUCT_FAMILIES.find((family) => family.id === id)
}

/** The families in the order in which they are listed. */
export function listFamilies(): ProductFamily[] {
  return PRODUCT_FAMILIES.toSorted((a, b) => a.order - b.order)
}

/** Product id in a serial number: characters 2 to 4 as a hexadecimal number; undefined if they are not hexadecimal. */
export function productIdOf(sn: string): number | undefined {
  const digits = sn.slice(1, 4)
  return /^[0-9A-F]{3}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined
}

/** Family of a product id; undefined for an unknown one. */
export function familyOfProduct(productId: number): number | undefined {
  return PRODUCT_FAMILIES.find(({ products }) => products.includes(productId))?.id
}

/** Family of a model: by its product id, else by the beginning of its name; undefined for an unknown model. */
export function familyOfModel(productId: number, model: string): number | undefined {
  const isOfName = ({ name }: ProductFamily) => model.toLowerCase().startsWith(name.toLowerCase())
  return familyOfProduct(productId) ?? PRODUCT_FAMILIES.find(isOfName)?.id
}

/** Serial number as displayed: a third-party serial number with more than 9 characters is shown without its first 9. */
export function displaySerial(sn: string, module: number): string {
  return module === THIRD_PARTY && sn.length > 9 ? sn.slice(9) : sn
}
