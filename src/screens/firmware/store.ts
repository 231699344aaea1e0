// Firmware files, the devices that one is for, rollouts, and what can be done to them.
import { atom } from 'nanostores'
import type { Call, Envelope } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { type Device, type DeviceListRequest, listDevices } from '../../../contract/device.ts'
import {
  deleteFirmware,
  type Firmware,
  type FirmwareListRequest,
  listFirmware,
  listRolloutDevices,
  listRollouts,
  queryRollout,
  type Rollout,
  type RolloutDevice,
  retryRollout
} from '../../../contract/firmware.ts'
import { send } from '../../link/send.ts'
import { refreshLive } from '../../state/live.ts'
import { liveList } from '../../state/live-list.ts'
import { liveValue } from '../../state/live-value.ts'
import { act } from '../../state/toasts.ts'

/** Rows of a page of the history, and of a rollout's devices. */
export const COUNT = 100

const $wanted = atom<FirmwareListRequest>({})

export const $files = liveList({
  call: listFirmware,
  request: $wanted,
  pace: 'slowest',
  topic: 'firmware',
  keyOf: (file: Firmware) => file.id,
  orderOf: (file) => file['product-name']
})

const $fitting = atom<DeviceListRequest>({})

/** The devices that a firmware is for. */
export const $targets = liveList({
  call: listDevices,
  request: $fitting,
  pace: 'slower',
  topic: 'device',
  keyOf: (device: Device) => device.id
})

const $page = atom({ start: 0, count: COUNT })

export const $rollouts = liveList({
  call: listRollouts,
  request: $page,
  pace: 'slower',
  topic: 'rollout',
  keyOf: (rollout: Rollout) => rollout.id
})

const $one = atom({ id: 0 })

export const $rollout = liveValue({ call: queryRollout, request: $one, pace: 'slower', topic: 'rollout' })

const $part = atom({ id: 0, start: 0, count: COUNT })

export const $devices = liveList({
  call: listRolloutDevices,
  request: $part,
  pace: 'slow',
  topic: 'rollout',
  keyOf: (device: RolloutDevice) => device.sn
})

const REQUESTS = { files: $wanted, targets: $fitting, rollouts: $page, rollout: $one, devices: $part }

/** Asks for other ones; the same are not asked for again. */
export function ask<Name extends keyof typeof REQUESTS>(
  name: Name,
  request: ReturnType<(typeof REQUESTS)[Name]['get']>
): void {
  const $request = REQUESTS[name] as { get(): unknown; set(value: typeof request): void }
  if (JSON.stringify($request.get()) !== JSON.stringify(request)) $request.set(request)
}

/** What is shown is then what the hub says. */
async function shown(answer: Promise<Envelope>): Promise<boolean> {
  const { result } = await answer
  refreshLive()
  return result === SUCCESS
}

/** @returns whether all went well */
export function removeFiles(files: readonly Firmware[]): Promise<boolean> {
  return shown(act((force) => send(deleteFirmware, { id: files.map(({ id }) => id), ...force })))
}

/** Pauses a rollout, goes on with it, cancels what has not started, or forgets it. @returns whether it went well */
export function steer(call: Call<{ id: number }>, id: number): Promise<boolean> {
  return shown(act((force) => send(call, { id, ...force })))
}

/** Lets a device that failed, or all of them, wait once more. @returns whether it went well */
export function retry(id: number, sn?: string[]): Promise<boolean> {
  return shown(act((force) => send(retryRollout, { id, sn, ...force })))
}
