// Store and mutations of the hub's ports.

import { atom } from 'nanostores'
import type { Envelope } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { getSettings, setSettings } from '../../../contract/settings.ts'
import { cancelPort, confirmPort, type HubPort, type HubPortName, listPorts } from '../../../contract/web/ports.ts'
import type { TrialStart } from '../../../contract/web/settings.ts'
import { send } from '../../link/send.ts'
import { settingsOf } from '../../other-hubs.ts'
import { linkTo } from '../../paths.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { type MutateOptions, sendMutation } from '../../state/mutations.ts'
import * as OUTCOME from '../../text/outcomes.ts'

export const $ports = createLiveValue({ call: listPorts, pace: 'slow', topic: 'status' })

const SAVED = { success: { text: OUTCOME.settingsSaved, names: [] } }

/** The origin of this host at another port. */
const originAt = (scheme: string, port: number) => `${scheme}://${location.hostname}:${port}`

/**
 * The address at which the console confirms a new port: of the console itself, where it signs in and returns to a page,
 * or of a port that it cannot show, whose empty response leaves the page as it is.
 */
export function confirmUrl(
  name: HubPortName,
  { port, ticket, 'confirm-path': path }: TrialStart,
  returnTo: string
): string | undefined {
  if (path) return `${originAt('http', port)}${path}`
  if (!ticket) return undefined
  return `${originAt(name === 'https' ? 'https' : 'http', port)}/#${linkTo('follow', { ticket, to: returnTo })}`
}

/** Where the last change is confirmed, as long as this page stays. */
export const $confirmUrl = atom<string | undefined>(undefined)

/** Whether all channels share the port: the console cannot open it. */
export const isShared = (name: HubPortName): boolean => name === 'srt' || name === 'rtmp'

/** Changes a port. Those of the console, of registration and of files are then confirmed at the new port. */
export async function changePort(
  { name }: HubPort,
  port: number,
  returnTo: string,
  options: Partial<MutateOptions>
): Promise<Envelope> {
  const response = await sendMutation(setSettings, await portRequest(name, port), { ...SAVED, ...options })
  $confirmUrl.set(undefined)
  if (response.result !== SUCCESS || !response.trial) return response
  const url = confirmUrl(name, response.trial, returnTo)
  $confirmUrl.set(url)
  if (url) location.assign(url)
  return response
}

async function portRequest(name: HubPortName, port: number) {
  if (name === 'rtmp') return { rtmp: { port } }
  if (name !== 'srt') return { web: { [`${name}-port`]: port } }
  const { srt } = settingsOf(await send(getSettings, {}))
  return { srt: { 'pb-key-len': srt?.['pb-key-len'] ?? (0 as const), port } }
}

export const keepPort = (): Promise<Envelope> => sendMutation(confirmPort, {}, SAVED)
export const undoPort = (): Promise<Envelope> => sendMutation(cancelPort, {}, SAVED)
