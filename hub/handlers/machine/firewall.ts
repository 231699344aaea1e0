// Handlers for the firewall of the machine (contract/machine/firewall/firewall.ts).
import { INVALID_ARG, OBJECT_BUSY } from '../../../contract/codes.ts'
import { portsBlockedBy } from '../../../contract/machine/firewall/effect.ts'
import {
  confirmFirewall,
  FIREWALL_MODE,
  type FirewallSettings,
  getFirewall,
  type SetFirewallRequest,
  setFirewall
} from '../../../contract/machine/firewall/firewall.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import type { Gate } from '../../auth/gate.ts'
import type { SharedPorts } from '../../channels/shared-ports.ts'
import type { PortForwards } from '../../devices/port-forwards.ts'
import {
  CallError,
  type Context,
  type Handler,
  handle,
  handleAppliedChange,
  handlePreparedChange,
  interrupting,
  requireCaller
} from '../../http/handler.ts'
import type { WebPorts } from '../../http/ports/web-ports.ts'
import type { Machine } from '../../machine/machine.ts'
import { firewallModeText } from '../../messages/firewall.ts'
import type { Language } from '../../messages/language.ts'
import type { DevicePages } from '../../pages/device-pages.ts'
import type { Store } from '../../store/store.ts'
import { interruptionByFirewall, listFirewallPorts } from './firewall-ports.ts'
import { refuseWith } from './refusal.ts'

interface FirewallParts {
  store: Store
  gate: Gate
  engine: EngineClient
  machine: Machine
  webPorts: WebPorts
  portForwards: PortForwards
  devicePages: DevicePages
  sharedPorts: SharedPorts
}

/** @throws CallError 7 for two rules with the same ports, protocol and source: the second one would have no effect */
function requireDistinct({ rules }: FirewallSettings): void {
  const keys = rules.map(({ port, protocol, source = '' }) => `${port} ${protocol} ${source}`)
  if (new Set(keys).size < keys.length) throw new CallError(INVALID_ARG, { field: 'rules.port', fault: 'taken' })
}

/** @throws CallError 1005 with the running channels whose ports a change blocks */
function requireUnused(
  parts: FirewallParts,
  context: Context,
  before: FirewallSettings,
  request: SetFirewallRequest
): void {
  if (request.force) return
  const blocked = portsBlockedBy(before, request, listFirewallPorts(parts, requireCaller(context), context.language))
  const streams = [...new Set(blocked.flatMap(({ streams: names = [] }) => names))]
  // The Admin group sees all channels.
  if (streams.length > 0) throw new CallError(OBJECT_BUSY, { 'owner-i': streams })
}

/** Text for the operation log. */
function describeRequest(language: Language, { mode, rules }: FirewallSettings): string {
  if (mode !== FIREWALL_MODE.rules) return firewallModeText(language, mode)
  const protocols = ['TCP', 'UDP', 'TCP+UDP']
  const open = rules
    .filter(({ enable }) => enable)
    .map(({ port, protocol, source }) => `${port} ${protocols[protocol]}${source ? ` from ${source}` : ''}`)
  return [firewallModeText(language, mode), open.join(', ')].filter(Boolean).join(': ').slice(0, 200)
}

function handleSet(parts: FirewallParts): Handler {
  const { firewall } = parts.machine
  const handler = handleAppliedChange(
    setFirewall,
    async (context, request) => {
      const { language } = context
      context.detail = describeRequest('en', request)
      requireDistinct(request)
      const before = await refuseWith(language, firewall.requireCurrent(request.revision, language))
      requireUnused(parts, context, before, request)
      return before
    },
    (context, request) =>
      refuseWith(context.language, firewall.apply(request, requireCaller(context).user.name, context.language)),
    (context, request, applied) => {
      const change = firewall.storeChange(request, applied)
      context.afterCommit(() => parts.store.changes.markChanged('status'))
      return change ? { change } : {}
    }
  )
  return interrupting(setFirewall, handler, {
    find: (_, request, before) => interruptionByFirewall(parts, before as FirewallSettings, request)
  })
}

export function firewallHandlers(parts: FirewallParts): Handler[] {
  const { firewall } = parts.machine
  return [
    handle(getFirewall, async (context) => {
      const state = await firewall.observe(context.language)
      return { ...state, ports: listFirewallPorts(parts, requireCaller(context), context.language) }
    }),
    handleSet(parts),
    handlePreparedChange(
      confirmFirewall,
      (context, { keep = true }) => {
        const { language, openedAt = 0 } = context
        return refuseWith(language, firewall.confirm(keep, openedAt, language))
      },
      () => ({})
    )
  ]
}
