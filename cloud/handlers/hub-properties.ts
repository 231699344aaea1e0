// What users of the cloud set of hubs: who sees them, favorites, and names.
import { describeAccess, validateMasks } from '../../accounts/visibility.ts'
import { renameHub } from '../../contract/cloud/calls.ts'
import { NOT_EXIST, SUCCESS } from '../../contract/codes.ts'
import { type SerialResults, setDeviceSecurity, setFavorite } from '../../contract/device/device.ts'
import { LOG_OFF, LOG_ON } from '../../contract/log.ts'
import { CallError } from '../../web-server/call-error.ts'
import { type HubRow, readNamed, readVisibleHubs, requireVisibleHub } from '../auth/hub-access.ts'
import { type Context, type Handler, handle, requireCaller } from '../http/handler.ts'
import type { Scope } from '../store/scope.ts'

/**
 * Changes each hub, and returns a result for each. A hub that the caller may not see gets result 16, like one that does
 * not exist.
 * @throws CallError 16 if the caller sees none of them
 */
async function forEachHub(
  context: Context,
  scope: Scope,
  serials: readonly string[],
  change: (hub: HubRow) => Promise<unknown>
): Promise<SerialResults> {
  const unique = [...new Set(serials)]
  const hubs = await readVisibleHubs(scope, requireCaller(context), unique)
  const details = unique.map((sn) => ({ sn, result: hubs.some((hub) => hub.sn === sn) ? SUCCESS : NOT_EXIST }))
  context.detail = details.map(({ sn, result }) => (result === SUCCESS ? sn : `${sn}: ${result}`)).join(', ')
  if (hubs.length === 0) throw new CallError(NOT_EXIST, { details })
  for (const hub of hubs) await change(hub)
  return { details }
}

export function hubPropertyHandlers(): Handler[] {
  return [
    handle(setDeviceSecurity, async (context, scope, { sn, security }) => {
      await scope.lock()
      const inherits = Boolean(security['is-inherit'])
      const named = await readNamed(scope)
      // Masks that come with `is-inherit` are stored, and apply when the hub no longer inherits.
      const masks = validateMasks(named, security)
      const change = {
        is_inherit: inherits ? 1 : 0,
        ...(masks && { group_mask: masks['group-mask'], usr_mask: masks['usr-mask'] })
      }
      const answer = await forEachHub(context, scope, [sn].flat(), (hub) =>
        scope.update('hubs').set(change).where('sn', '=', hub.sn).execute()
      )
      context.detail = describeAccess(named, context.detail, inherits ? undefined : masks)
      return answer
    }),
    handle(setFavorite, async (context, scope, { sn, favorite }) => {
      const { id } = requireCaller(context).user
      await scope.lock()
      const answer = await forEachHub(context, scope, sn, (hub) => {
        const favorites = (favorite ? hub.favorites | id : hub.favorites & ~id) >>> 0
        return scope.update('hubs').set({ favorites }).where('sn', '=', hub.sn).execute()
      })
      context.detail += ` ${favorite ? LOG_ON : LOG_OFF}`
      return answer
    }),
    handle(renameHub, async (context, scope, { sn, name }) => {
      context.detail = sn
      const hub = await requireVisibleHub(scope, requireCaller(context), sn)
      context.detail = `${hub.label || hub.name} → ${name || hub.name}`
      await scope.update('hubs').set({ label: name }).where('sn', '=', sn).execute()
      return {}
    })
  ]
}
