// Roster of a fleet: the devices for a given number, always with the same serial numbers, so that a hub recognizes
// them.
import { DIRECTOR, OTHERS, THIRD_PARTY } from '../contract/device/products.ts'
import { MODELS, type Model } from './models.ts'

/** Role of a device in the demo set-up. A device without a role is accepted and works normally. */
export type DemoRole = 'pending' | 'rejected' | 'off' | 'no-signal' | 'full'

export interface RosterEntry {
  sn: string
  /** Initial name. */
  name: string
  model: Model
  role?: DemoRole
  /** Loses its signal every few minutes. */
  flaky?: boolean
  /** Number of the site with its own address, from 0 (default). */
  site?: number
}

/** Devices that share an address. */
const DEVICES_PER_SITE = 250

type Row = [model: keyof typeof MODELS, name: string, more?: Pick<RosterEntry, 'role' | 'flaky'>]

/** The first devices, in the order in which a small fleet needs them. */
const NAMED_DEVICES: readonly Row[] = [
  ['encodeAio', 'Main Hall PTZ'],
  ['encodeHdmiPlus', 'Lecture 2.14'],
  ['directorMini', 'Campus News Desk'],
  ['hdmiToNdi', 'Chapel Left', { flaky: true }],
  ['streamHdmi', 'Chapel Right'],
  ['encodeSdi', 'Foyer Camera', { role: 'pending' }],
  ['ndiToHdmi', 'Lobby Screen'],
  ['encodeHdmi', 'Lecture 1.02', { role: 'no-signal' }],
  ['streamSdi', 'Gymnasium', { role: 'full' }],
  ['hdmiToNdi', 'Organ Loft', { role: 'off' }],
  ['encodeAio', 'Conference East', { flaky: true }],
  ['usbFusion', 'Seminar Podium', { role: 'pending' }],
  ['directorOne', 'Stage Manager'],
  ['audioDx', 'Audio Rack 1'],
  ['encodeHdmi', 'Unknown Encoder', { role: 'rejected' }],
  ['xmit', 'Balcony Wireless'],
  ['ptzCamera', 'Choir Camera'],
  ['hdmiToNdi', 'Lecture 3.07', { role: 'pending' }],
  ['ndiToHdmi', 'Overflow Room', { role: 'off' }],
  ['modator', 'Head-end Chassis'],
  ['router', 'NDI Core Router'],
  ['brandedEncoder', 'Studio B Wide', { role: 'no-signal' }],
  ['usbCapture', 'Edit Suite Capture'],
  ['workstation', 'Graphics PC']
]
/** Intervals at which further devices have a role. Prime numbers, so that they rarely coincide. */
const ROLE_INTERVALS: readonly [interval: number, role: DemoRole][] = [
  [101, 'pending'],
  [211, 'rejected'],
  [67, 'no-signal'],
  [131, 'full'],
  [89, 'off']
]
/** Interval at which further devices have a flaky signal. */
const FLAKY_INTERVAL = 59

/** Models of further devices, in turn. */
const FURTHER_MODELS: readonly (keyof typeof MODELS)[] = [
  'encodeAio',
  'hdmiToNdi',
  'encodeHdmiPlus',
  'streamHdmi',
  'ndiToHdmi'
]

/**
 * Serial number: model, year and week of manufacture, and a sequence number. Third-party models have their own format.
 */
function serialOf(model: Model, index: number): string {
  if (model.family === THIRD_PARTY || model.family === OTHERS)
    return `${model.serial}${String(417 + index).padStart(5, '0')}`
  const product = model.productId.toString(16).toUpperCase().padStart(3, '0')
  return `${model.serial}${product}2106${String(123 + index * 7).padStart(5, '0')}`
}

/** The device at an index beyond the named ones. */
function furtherDevice(index: number): Row {
  const [, role] = ROLE_INTERVALS.find(([interval]) => index % interval === interval - 1) ?? []
  const model = FURTHER_MODELS[index % FURTHER_MODELS.length] ?? 'encodeAio'
  const isFlaky = index % FLAKY_INTERVAL === 0
  return [model, `Room ${index + 1}`, { ...(role && { role }), ...(isFlaky && { flaky: true }) }]
}

/** The devices of a fleet of `count` devices. */
export function createRoster(count: number): RosterEntry[] {
  return Array.from({ length: count }, (_, index) => {
    const [key, name, more] = NAMED_DEVICES[index] ?? furtherDevice(index)
    const model: Model = MODELS[key]
    return { sn: serialOf(model, index), name, model, site: Math.floor(index / DEVICES_PER_SITE), ...more }
  })
}

/** Whether a model is a Director, whose API has additional calls. */
export function isDirector(model: Model): boolean {
  return model.family === DIRECTOR
}
