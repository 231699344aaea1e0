// Hubs of an organisation, and the invitation with which they register.
import { hasAnyBit, isPermitted } from '../../contract/access/permissions.ts'
import { HubWarning } from '../../contract/cloud/calls.schema.ts'
import {
  acceptHubs,
  type CloudHub,
  deleteHubs,
  getInvitation,
  listHubs,
  rejectHubs,
  renewInvitation
} from '../../contract/cloud/calls.ts'
import { NOT_EXIST } from '../../contract/codes.ts'
import { REGISTRATION_STATE, setDeviceSecurity } from '../../contract/device/device.ts'
import { compareVersions } from '../../contract/mwf.ts'
import { CallError } from '../../web-server/call-error.ts'
import { paginate } from '../../web-server/pages.ts'
import { VERSION } from '../../web-server/version.ts'
import { generateInvitation } from '../auth/first-users.ts'
import { type HubRow, readVisibleHubs } from '../auth/hub-access.ts'
import { type Context, type Handler, handle, requireCaller } from '../http/handler.ts'
import type { HubLinks } from '../links/hub-links.ts'
import { readInvitation } from '../links/registrations.ts'
import type { SigningKeys } from '../signing/signing-key.ts'
import type { Scope } from '../store/scope.ts'
import { type ObservedHub, observeHubs, type SummaryParts, summarize } from './hub-summary.ts'

/** Changes hubs, and tells those that are connected. @throws CallError if none of them is known */
async function decide(
  links: HubLinks,
  context: Context,
  scope: Scope,
  { sn }: { sn: readonly string[] },
  state: number
): Promise<{ sn: string[] }> {
  context.detail = sn.join(' ')
  const serials = (await readVisibleHubs(scope, requireCaller(context), sn)).map((row) => row.sn)
  if (serials.length === 0) throw new CallError(NOT_EXIST)
  if (state === REGISTRATION_STATE.deleted) await scope.delete('hubs').where('sn', 'in', serials).execute()
  else await scope.update('hubs').set({ state }).where('sn', 'in', serials).execute()
  context.detail = serials.join(' ')
  context.afterCommit(() => links.decide(context.organisation, serials, state))
  return { sn: serials }
}

/** Why an accepted hub needs attention. */
function warningsOf({ version }: HubRow, isOnline: boolean, hasCopies: boolean): CloudHub['warnings'] {
  const is = { offline: !isOnline, older: compareVersions(version, VERSION) < 0, duplicated: hasCopies }
  return HubWarning.options.filter((warning) => is[warning])
}

function serializeHub(context: Context, links: HubLinks, observed: ObservedHub): CloudHub {
  const caller = requireCaller(context)
  const { user } = caller
  const { row: hub, isOnline: online } = observed
  const { sn, version, state, address, registered } = hub
  const copies = links.copiesOf(context.organisation, sn)
  return {
    ...{ sn, version, state, address, registered, online },
    copies,
    name: observed.name,
    ...(!online && hub.last_seen > 0 && { 'offline-since': hub.last_seen }),
    ...(state === REGISTRATION_STATE.accepted && { summary: summarize(observed, caller) }),
    ...(hub.label && { 'own-name': hub.name }),
    warnings: state === REGISTRATION_STATE.accepted ? warningsOf(hub, online, copies.length > 0) : [],
    favorite: hasAnyBit(hub.favorites, user.id),
    'catalog-id': hub.catalog_id,
    ...(isPermitted(setDeviceSecurity.access, user) && {
      'is-inherit': hub.is_inherit,
      'group-mask': hub.group_mask,
      'usr-mask': hub.usr_mask
    })
  }
}

interface HubParts extends SummaryParts {
  links: HubLinks
  signingKeys: SigningKeys
}

export function hubHandlers(parts: HubParts): Handler[] {
  const { links, signingKeys } = parts
  return [
    handle(listHubs, async (context, scope, request) => {
      const hubs = await readVisibleHubs(scope, requireCaller(context))
      const page = paginate(hubs, request)
      const observed = await observeHubs(parts, scope, page.list)
      return { ...page, list: observed.map((hub) => serializeHub(context, links, hub)) }
    }),
    handle(acceptHubs, (context, scope, request) =>
      decide(links, context, scope, request, REGISTRATION_STATE.accepted)
    ),
    handle(rejectHubs, (context, scope, request) =>
      decide(links, context, scope, request, REGISTRATION_STATE.rejected)
    ),
    handle(deleteHubs, (context, scope, request) => decide(links, context, scope, request, REGISTRATION_STATE.deleted)),
    handle(getInvitation, async (_context, scope) => ({
      invitation: await readInvitation(scope, signingKeys.current.fingerprint),
      'link-port': links.port
    })),
    handle(renewInvitation, async (_context, scope) => {
      const code = generateInvitation()
      await scope.update('organisations').set({ invitation: code }).execute()
      return {
        invitation: await readInvitation(scope, signingKeys.current.fingerprint),
        'link-port': links.port
      }
    })
  ]
}
