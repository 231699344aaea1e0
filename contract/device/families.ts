// What can be done to a device of which family: the family rules of specification 1.

import { deviceName, dottedDeviceName, type Rule } from '../rules/rules.ts'
import {
  DIRECTOR,
  OTHERS,
  PRO_CONVERT_DECODER,
  PRO_CONVERT_ENCODER,
  THIRD_PARTY,
  ULTRA_STREAM,
  USB_FUSION
} from './products.ts'

/** What the rules look at. */
export interface Kind {
  /** Family. */
  module: number
  'product-id': number
}

/** The models of Ultra Encode that record and stream live by themselves. */
const ENCODERS: readonly number[] = [787, 789, 790]

/** Whether it can be told to record and to stream live. */
export function recordsAndStreams({ module, 'product-id': productId }: Kind): boolean {
  return module === ULTRA_STREAM || module === DIRECTOR || ENCODERS.includes(productId)
}

/** Whether anything can be done to it beyond its place on the hub: not to what is not the vendor's own. */
export function isInteractive({ module }: Pick<Kind, 'module'>): boolean {
  return module !== THIRD_PARTY
}

/** Whether it can be viewed in detail. */
export function hasDetail({ module }: Pick<Kind, 'module'>): boolean {
  return module !== OTHERS
}

/** Whether it has a connection configuration. */
export function hasConnection({ module }: Pick<Kind, 'module'>): boolean {
  return module !== ULTRA_STREAM && isInteractive({ module })
}

/**
 * The rule for a name given to it. Which variants take the wider set is not said: taken are all but those whose generation speaks
 * `mwapi`, where the name becomes part of a host's and an NDI source's.
 */
export function nameRule({ module }: Pick<Kind, 'module'>): Rule {
  const plain: readonly number[] = [PRO_CONVERT_ENCODER, PRO_CONVERT_DECODER, USB_FUSION]
  return plain.includes(module) ? deviceName : dottedDeviceName
}
