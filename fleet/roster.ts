// Which devices a fleet of a given size has: always the same ones, with the same serials, so that a hub knows them again.
import { DIRECTOR, OTHERS, THIRD_PARTY } from '../contract/device/products.ts'
import { MODELS, type Model } from './models.ts'

/** What becomes of a device in the demo set-up. Without a part it is accepted and works. */
export type Part = 'pending' | 'rejected' | 'off' | 'no-signal' | 'full'

export interface Entry {
  sn: string
  /** The name it has until someone gives it another. */
  name: string
  model: Model
  part?: Part
  /** Loses its signal every few minutes. */
  flaky?: boolean
}

type Row = [model: keyof typeof MODELS, name: string, more?: Pick<Entry, 'part' | 'flaky'>]

/** The first ones make a small fleet: they come in the order in which a demo needs them. */
const ROWS: readonly Row[] = [
  ['encodeAio', 'Main Hall PTZ'],
  ['encodeHdmiPlus', 'Lecture 2.14'],
  ['directorMini', 'Campus News Desk'],
  ['hdmiToNdi', 'Chapel Left', { flaky: true }],
  ['streamHdmi', 'Chapel Right'],
  ['encodeSdi', 'Foyer Camera', { part: 'pending' }],
  ['ndiToHdmi', 'Lobby Screen'],
  ['encodeHdmi', 'Lecture 1.02', { part: 'no-signal' }],
  ['streamSdi', 'Gymnasium', { part: 'full' }],
  ['hdmiToNdi', 'Organ Loft', { part: 'off' }],
  ['encodeAio', 'Conference East', { flaky: true }],
  ['usbFusion', 'Seminar Podium', { part: 'pending' }],
  ['directorOne', 'Stage Manager'],
  ['audioDx', 'Audio Rack 1'],
  ['encodeHdmi', 'Unknown Encoder', { part: 'rejected' }],
  ['xmit', 'Balcony Wireless'],
  ['ptzCamera', 'Choir Camera'],
  ['hdmiToNdi', 'Lecture 3.07', { part: 'pending' }],
  ['ndiToHdmi', 'Overflow Room', { part: 'off' }],
  ['modator', 'Head-end Chassis'],
  ['router', 'NDI Core Router'],
  ['hdmiToNdi', 'Studio B Wide', { part: 'no-signal' }],
  ['usbCapture', 'Edit Suite Capture'],
  ['workstation', 'Graphics PC']
]
/** Of the devices beyond the named ones every so-manieth has a part; the numbers are prime, so that they do not meet often. */
const PARTS: readonly [every: number, part: Part][] = [
  [101, 'pending'],
  [211, 'rejected'],
  [67, 'no-signal'],
  [131, 'full'],
  [89, 'off']
]
/** Of the same, those whose signal comes and goes. */
const FLAKY = 59

/** Models of the devices beyond the named ones. */
const MORE: readonly (keyof typeof MODELS)[] = ['encodeAio', 'hdmiToNdi', 'encodeHdmiPlus', 'streamHdmi', 'ndiToHdmi']

/** Year and week of making, and a running number. */
function serialOf(model: Model, index: number): string {
  if (model.family === THIRD_PARTY || model.family === OTHERS)
    return `${model.serial}${String(417 + index).padStart(5, '0')}`
  const product = model.productId.toString(16).toUpperCase().padStart(3, '0')
  return `${model.serial}${product}2106${String(123 + index * 7).padStart(5, '0')}`
}

/** What the device at `index` is where no row says so. */
function anyOf(index: number): Row {
  const [, part] = PARTS.find(([every]) => index % every === every - 1) ?? []
  const model = MORE[index % MORE.length] ?? 'encodeAio'
  return [model, `Room ${index + 1}`, { ...(part && { part }), ...(index % FLAKY === 0 && { flaky: true }) }]
}

/** The devices of a fleet of `count`. */
export function roster(count: number): Entry[] {
  return Array.from({ length: count }, (_, index) => {
    const [key, name, more] = ROWS[index] ?? anyOf(index)
    const model: Model = MODELS[key]
    return { sn: serialOf(model, index), name, model, ...more }
  })
}

/** Whether its API is that of the Director, which has calls of its own. */
export function isDirector(model: Model): boolean {
  return model.family === DIRECTOR
}
