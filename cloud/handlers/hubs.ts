// Hubs of an organisation, and the invitation with which they register.
import {
  acceptHubs,
  deleteHubs,
  getInvitation,
  listHubs,
  rejectHubs,
  renewInvitation
} from '../../contract/cloud/calls.ts'
import { formatInvitation } from '../../contract/cloud/link.ts'
import { NOT_EXIST } from '../../contract/codes.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { CallError } from '../../web-server/call-error.ts'
import { generateInvitation } from '../auth/first-users.ts'
import { type Context, type Handler, handle } from '../http/handler.ts'
import type { HubLinks } from '../links/hub-links.ts'
import { readInvitation } from '../links/registrations.ts'
import type { Scope } from '../store/scope.ts'

/** Changes hubs, and tells those that are connected. @throws CallError if none of them is known */
async function decide(
  links: HubLinks,
  context: Context,
  scope: Scope,
  { sn }: { sn: readonly string[] },
  state: number
): Promise<{ sn: string[] }> {
  context.detail = sn.join(' ')
  const known = await scope
    .select('hubs')
    .select('sn')
    .where('sn', 'in', [...new Set(sn)])
    .execute()
  const serials = known.map((row) => row.sn).sort()
  if (serials.length === 0) throw new CallError(NOT_EXIST)
  if (state === REGISTRATION_STATE.deleted) await scope.delete('hubs').where('sn', 'in', serials).execute()
  else await scope.update('hubs').set({ state }).where('sn', 'in', serials).execute()
  context.detail = serials.join(' ')
  context.afterCommit(() => {
    for (const each of serials) void links.applyState(context.organisation, each, state)
  })
  return { sn: serials }
}

export function hubHandlers({ links }: { links: HubLinks }): Handler[] {
  return [
    handle(listHubs, async ({ organisation }, scope) => {
      const rows = await scope.select('hubs').selectAll().orderBy('sn').execute()
      const list = rows.map(({ sn, name, version, state, address, registered }) => ({
        ...{ sn, name, version, state, address, registered },
        online: links.isOnline(organisation, sn)
      }))
      return { list }
    }),
    handle(acceptHubs, (context, scope, request) =>
      decide(links, context, scope, request, REGISTRATION_STATE.accepted)
    ),
    handle(rejectHubs, (context, scope, request) =>
      decide(links, context, scope, request, REGISTRATION_STATE.rejected)
    ),
    handle(deleteHubs, (context, scope, request) => decide(links, context, scope, request, REGISTRATION_STATE.deleted)),
    handle(getInvitation, async (_context, scope) => ({ invitation: await readInvitation(scope) })),
    handle(renewInvitation, async (_context, scope) => {
      const code = generateInvitation()
      await scope.update('organisations').set({ invitation: code }).execute()
      return { invitation: formatInvitation({ organisation: scope.organisation, code }) }
    })
  ]
}
