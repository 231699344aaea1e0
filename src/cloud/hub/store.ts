// Stores and mutations of hubs and of the invitation.
import { setCatalog, toCatalogId } from '../../../contract/catalog.ts'
import {
  acceptHubs,
  type CloudHub,
  deleteHubs,
  getInvitation,
  listHubs,
  openHub,
  rejectHubs,
  renameHub,
  renewInvitation
} from '../../../contract/cloud/calls.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { setFavorite } from '../../../contract/device/device.ts'
import { send } from '../../link/send.ts'
import { createLiveList } from '../../state/live-list.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { type FailureOptions, sendMutation, succeeded } from '../../state/mutations.ts'
import { notify } from '../../state/toasts.ts'
import type { Translation } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { TEXT } from './text.ts'

export const $hubs = createLiveList({
  call: listHubs,
  pace: 'slowest',
  topic: 'device',
  keyOf: ({ sn }) => sn
})

const serialsOf = (hubs: readonly CloudHub[]) => hubs.map(({ sn }) => sn)
const namesOf = (hubs: readonly CloudHub[]) => hubs.map(({ name }) => name)

/** Makes a call for hubs. @returns whether it succeeded */
const forHubs =
  (call: typeof acceptHubs, text: Translation) =>
  (hubs: readonly CloudHub[]): Promise<boolean> =>
    succeeded(sendMutation(call, { sn: serialsOf(hubs) }, { success: { text, names: namesOf(hubs) } }))

export const accept = forHubs(acceptHubs, TEXT.acceptedOutcome)
export const reject = forHubs(rejectHubs, OUTCOME.rejected)
export const remove = forHubs(deleteHubs, OUTCOME.deleted)

/**
 * Opens the console of a hub in another tab, which gets a ticket that is valid once.
 * @param at the page of the console; empty: the first one
 */
export async function open(sn: string, at = ''): Promise<boolean> {
  const reply = await send(openHub, { sn })
  if (reply.result !== SUCCESS) {
    notify(reply)
    return false
  }
  const form = document.createElement('form')
  Object.assign(form, { method: 'post', action: reply.url, target: '_blank', rel: 'noopener' })
  for (const [name, value] of Object.entries({ ticket: reply.ticket, at })) {
    const field = document.createElement('input')
    Object.assign(field, { type: 'hidden', name, value })
    form.append(field)
  }
  document.body.append(form)
  form.submit()
  form.remove()
  return true
}

/** Gives a hub a name in the cloud. */
export const rename = (sn: string, name: string, options: FailureOptions) =>
  sendMutation(renameHub, { sn, name }, { ...options, success: { text: OUTCOME.saved, names: [name] } })

export const setFavorites = (hubs: readonly CloudHub[], favorite: boolean): Promise<boolean> =>
  succeeded(
    sendMutation(
      setFavorite,
      { sn: serialsOf(hubs), favorite },
      { success: { text: OUTCOME.saved, names: namesOf(hubs) } }
    )
  )

/** Moves hubs to a group; 0 = out of their group. */
export const moveHubs = (hubs: readonly CloudHub[], catalog: number): Promise<boolean> =>
  succeeded(
    sendMutation(
      setCatalog,
      { id: toCatalogId(catalog), devices: serialsOf(hubs) },
      { success: { text: OUTCOME.moved, names: namesOf(hubs) } }
    )
  )

export const $invitation = createLiveValue({ call: getInvitation, pace: 'rare', topic: 'device' })

export const renew = () => sendMutation(renewInvitation, {}, { success: { text: TEXT.renewed } })
