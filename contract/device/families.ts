// Capabilities of the product families.

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

/** Model of a device. */
export interface DeviceModel {
  /** Product family (`products.ts`). */
  module: number
  'product-id': number
}

/** Product ids of the Ultra Encode models that can record and stream. */
const ENCODERS: readonly number[] = [787, 789, 790]

/** Whether the hub can start recordings and live streams on a device. */
export function canRecordAndStream({ module, 'product-id': productId }: DeviceModel): boolean {
  return module === ULTRA_STREAM || module === DIRECTOR || ENCODERS.includes(productId)
}

/** Whether the hub can control a device. It cannot control third-party devices. */
export function isInteractive({ module }: Pick<DeviceModel, 'module'>): boolean {
  return module !== THIRD_PARTY
}

/** Whether a device has a detail view. */
export function hasDetailView({ module }: Pick<DeviceModel, 'module'>): boolean {
  return module !== OTHERS
}

/** Whether a device has a connection configuration. */
export function hasConnectionConfig({ module }: Pick<DeviceModel, 'module'>): boolean {
  return module !== ULTRA_STREAM && isInteractive({ module })
}

/**
 * The rule for the name of a device. Families with the API generation `mwapi` accept fewer characters because the name becomes part of a host
 * name and of an NDI source name.
 */
export function deviceNameRule({ module }: Pick<DeviceModel, 'module'>): Rule {
  const plain: readonly number[] = [PRO_CONVERT_ENCODER, PRO_CONVERT_DECODER, USB_FUSION]
  return plain.includes(module) ? deviceName : dottedDeviceName
}
