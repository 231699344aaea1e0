// Capabilities of the product families.

import { deviceName, dottedDeviceName, type Rule, usbName } from '../rules/rules.ts'
import { DIR_NONE } from '../stream/protocols.ts'
import {
  DIRECTOR,
  OTHERS,
  PRO_CONVERT_DECODER,
  PRO_CONVERT_ENCODER,
  THIRD_PARTY,
  ULTRA_ENCODE,
  ULTRA_STREAM,
  USB_CAPTURE,
  USB_FUSION,
  VENDOR_API_CLASS
} from './products.ts'

/** Model of a device. */
export interface DeviceModel {
  /** Product family (`products.ts`). */
  module: number
  'product-id': number
  /** `VENDOR_API_CLASS` for the vendor's own devices; absent or another value for all others. */
  'api-class'?: string
}

/** Product ids of the Ultra Encode models that can record and stream. */
const RECORDING_ENCODERS: readonly number[] = [787, 789, 790]

/** Whether the hub can start recordings and live streams on a device. */
export function canRecordAndStream({ module, 'product-id': productId }: DeviceModel): boolean {
  return (
    module === ULTRA_STREAM ||
    module === DIRECTOR ||
    (module === ULTRA_ENCODE && RECORDING_ENCODERS.includes(productId))
  )
}

/**
 * Whether the hub can control a device. Of third-party devices and of the family Others it can control the vendor's
 * own only.
 */
export function isInteractive({ module, 'api-class': apiClass }: Omit<DeviceModel, 'product-id'>): boolean {
  return (module !== THIRD_PARTY && module !== OTHERS) || apiClass === VENDOR_API_CLASS
}

/** Whether a device has a detail view. */
export function hasDetailView({ module }: Pick<DeviceModel, 'module'>): boolean {
  return module !== OTHERS
}

/**
 * Whether a device has a connection configuration. One without a direction exchanges no streams with the hub, and
 * one that sends NDI is received as it is, so the configuration would never reach it.
 */
export function hasConnectionConfig(
  device: Omit<DeviceModel, 'product-id'> & { dir: number; 'sends-over'?: string }
): boolean {
  if (device.dir === DIR_NONE || device['sends-over'] === 'NDI') return false
  return device.module !== ULTRA_STREAM && isInteractive(device)
}

/**
 * The rule for the name of a device. Families with the API generation `mwapi` accept fewer characters because the name
 * becomes part of a host name and of an NDI source name. Those of USB devices follow the same rule.
 */
export function deviceNameRule({ module }: Pick<DeviceModel, 'module'>): Rule {
  switch (module) {
    case PRO_CONVERT_ENCODER:
    case PRO_CONVERT_DECODER:
      return deviceName
    case USB_FUSION:
    case USB_CAPTURE:
      return usbName
    default:
      return dottedDeviceName
  }
}
