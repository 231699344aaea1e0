// Models of the demo devices. Product ids and names are those that the vendor documents, if there are any. Other models
// have invented ids outside the documented list.
import {
  DIRECTOR,
  MODATOR,
  OTHERS,
  PRO_CONVERT_AUDIO,
  PRO_CONVERT_DECODER,
  PRO_CONVERT_ENCODER,
  ROUTER,
  THIRD_PARTY,
  ULTRA_ENCODE,
  ULTRA_STREAM,
  USB_CAPTURE,
  USB_FUSION,
  XMIT
} from '../contract/device/products.ts'
import { DIR_BOTH, DIR_INPUT, DIR_NONE, DIR_OUTPUT } from '../contract/stream/protocols.ts'

export interface Model {
  name: string
  /** Product family (`products.ts`). */
  family: number
  /** Class that it reports, if it is not the vendor's own. */
  apiClass?: string
  productId: number
  /** First letter of the serial numbers; for third-party devices and others: their prefix. */
  serial: string
  api: 'usapi' | 'mwapi' | 'api' | 'none'
  dir: number
  preview: boolean
  hardware: string
  firmware: string
  /** Whether the model can record and send live streams. */
  liveAndRecord?: boolean
  /** Storage in MB; absent: none. */
  disk?: number
  /** Whether the model has a fan and reports its speed. */
  fan?: boolean
}

const ULTRA = { api: 'usapi', dir: DIR_INPUT, preview: true } as const
const ENCODER = { family: ULTRA_ENCODE, ...ULTRA, disk: 30_436 } as const
const BOX = { api: 'api', preview: false } as const

export const MODELS = {
  streamHdmi: {
    name: 'Ultra Stream HDMI',
    family: ULTRA_STREAM,
    productId: 770,
    serial: 'A',
    ...ULTRA,
    hardware: 'C',
    firmware: '1.5.79',
    liveAndRecord: true,
    disk: 61_056
  },
  streamSdi: {
    name: 'Ultra Stream SDI',
    family: ULTRA_STREAM,
    productId: 769,
    serial: 'D',
    ...ULTRA,
    hardware: 'A',
    firmware: '1.5.79',
    liveAndRecord: true,
    disk: 61_056
  },
  encodeHdmi: {
    name: 'Ultra Encode HDMI',
    productId: 772,
    serial: 'A',
    ...ENCODER,
    hardware: 'B',
    firmware: '1.4.225'
  },
  encodeSdi: {
    name: 'Ultra Encode SDI',
    productId: 773,
    serial: 'A',
    ...ENCODER,
    hardware: 'B',
    firmware: '1.4.225'
  },
  encodeHdmiPlus: {
    name: 'Ultra Encode HDMI Plus',
    productId: 785,
    serial: 'B',
    ...ENCODER,
    hardware: 'A',
    firmware: '1.4.225'
  },
  encodeAio: {
    name: 'Ultra Encode AIO',
    productId: 787,
    serial: 'B',
    ...ENCODER,
    hardware: 'A',
    firmware: '1.4.225',
    liveAndRecord: true,
    disk: 121_942
  },
  hdmiToNdi: {
    name: 'Pro Convert HDMI 4K Plus',
    family: PRO_CONVERT_ENCODER,
    productId: 1025,
    serial: 'B',
    api: 'mwapi',
    dir: DIR_INPUT,
    preview: true,
    hardware: 'D',
    firmware: '1.3.327',
    fan: true
  },
  ndiToHdmi: {
    name: 'Pro Convert NDI to HDMI',
    family: PRO_CONVERT_DECODER,
    productId: 1040,
    serial: 'Z',
    api: 'mwapi',
    dir: DIR_OUTPUT,
    preview: false,
    hardware: 'C',
    firmware: '1.2.268'
  },
  ipDecoder: {
    name: 'Pro Convert IP to HDMI',
    family: PRO_CONVERT_DECODER,
    productId: 0x434,
    serial: 'B',
    ...BOX,
    dir: DIR_OUTPUT,
    hardware: 'A',
    firmware: '1.0.214'
  },
  audioDx: {
    name: 'Pro Convert Audio DX',
    family: PRO_CONVERT_AUDIO,
    productId: 0x431,
    serial: 'B',
    ...BOX,
    dir: DIR_NONE,
    hardware: 'A',
    firmware: '1.1.104'
  },
  usbFusion: {
    name: 'USB Fusion',
    family: USB_FUSION,
    productId: 0x330,
    serial: 'A',
    api: 'mwapi',
    dir: DIR_INPUT,
    preview: true,
    hardware: 'A',
    firmware: '1.2.58',
    disk: 14_800,
    fan: true
  },
  directorMini: {
    name: 'Director Mini',
    family: DIRECTOR,
    productId: 1297,
    serial: 'A',
    api: 'api',
    dir: DIR_BOTH,
    preview: true,
    hardware: 'B',
    firmware: '2.1.318',
    liveAndRecord: true,
    disk: 238_475,
    fan: true
  },
  directorOne: {
    name: 'Director One',
    family: DIRECTOR,
    productId: 1305,
    serial: 'A',
    api: 'api',
    dir: DIR_BOTH,
    preview: true,
    hardware: 'A',
    firmware: '2.1.318',
    liveAndRecord: true,
    disk: 476_940,
    fan: true
  },
  xmit: {
    name: 'Xmit HDMI',
    family: XMIT,
    productId: 0x541,
    serial: 'A',
    api: 'api',
    dir: DIR_INPUT,
    preview: true,
    hardware: 'A',
    firmware: '1.0.77'
  },
  modator: {
    name: 'Modator 2U',
    family: MODATOR,
    productId: 1286,
    serial: 'A',
    ...BOX,
    dir: DIR_NONE,
    hardware: 'A',
    firmware: '1.1.92',
    fan: true
  },
  router: {
    name: 'Router 16x16',
    family: ROUTER,
    productId: 0x551,
    serial: 'A',
    ...BOX,
    dir: DIR_NONE,
    hardware: 'A',
    firmware: '1.0.31',
    fan: true
  },
  usbCapture: {
    name: 'USB Capture HDMI 4K Plus',
    family: USB_CAPTURE,
    productId: 0x211,
    serial: 'D',
    api: 'none',
    dir: DIR_NONE,
    preview: false,
    hardware: 'B',
    firmware: '3.20.0'
  },
  // The console shows serial numbers of third-party devices without their first 9 characters.
  ptzCamera: {
    name: 'NDI PTZ Camera 20x',
    family: THIRD_PARTY,
    apiClass: 'onvif',
    productId: 0,
    serial: '3RDPARTY-PTZ20X-',
    api: 'none',
    dir: DIR_INPUT,
    preview: true,
    hardware: 'A',
    firmware: '6.3.41'
  },
  // The vendor's own device under another brand: the hub controls it.
  brandedEncoder: {
    name: 'Branded Encoder',
    family: THIRD_PARTY,
    productId: 0,
    serial: '3RDPARTY-BRAND-',
    api: 'api',
    dir: DIR_INPUT,
    preview: true,
    hardware: 'A',
    firmware: '1.0.12'
  },
  workstation: {
    name: 'NDI Workstation',
    family: OTHERS,
    apiClass: 'ndi',
    productId: 0,
    serial: 'NDI-WS-',
    api: 'none',
    dir: DIR_NONE,
    preview: false,
    hardware: 'A',
    firmware: '5.6.1'
  }
} as const satisfies Record<string, Model>
