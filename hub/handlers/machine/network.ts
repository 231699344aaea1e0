// Handlers for the network of the machine (contract/machine/network.ts).
import { hasAnyBit, INPUT_OUTPUT_VIEW } from '../../../contract/access/permissions.ts'
import { IN_PROGRESS, OBJECT_BUSY } from '../../../contract/codes.ts'
import { withoutBrackets } from '../../../contract/ipv6.ts'
import { NETWORK_CONFIRM_SECONDS } from '../../../contract/limits.ts'
import {
  type ChangeAccepted,
  confirmNetwork,
  joinWifi,
  listNetwork,
  type NetworkInterface,
  type SetNetworkRequest,
  scanWifi,
  setNetwork
} from '../../../contract/machine/network.ts'
import { pingHost } from '../../../contract/machine/ping.ts'
import { formatRoutes } from '../../../contract/rules/addressing.ts'
import { hostNameOf } from '../../../web-server/host-header.ts'
import type { Gate } from '../../auth/gate.ts'
import type { SignInTickets } from '../../auth/sign-in-tickets.ts'
import type { Interruption } from '../../channels/off-air.ts'
import {
  CallError,
  type Context,
  type Handler,
  handle,
  handlePreparedChange,
  interrupting,
  requireCaller
} from '../../http/handler.ts'
import type { Machine } from '../../machine/machine.ts'
import type { InterfaceUsers, NetworkClient, PreparedChange, UsedInterface } from '../../machine/network/network.ts'
import { ping } from '../../machine/network/ping.ts'
import { networkStore } from '../../store/network.ts'
import type { Store } from '../../store/store.ts'
import { refuseWith } from './refusal.ts'

interface NetworkParts {
  store: Store
  gate: Gate
  signInTickets: SignInTickets
  machine: Machine
}

/**
 * Milliseconds for which a ticket for the new address works: as long as the change can be confirmed, and the time to
 * begin it.
 */
const TICKET_LIFETIME = (NETWORK_CONFIRM_SECONDS + 15) * 1000

/** The client. Over the change feed, the address in its Host header stands for the one at which it arrived. */
function clientOf({ language, localAddress, host }: Context): NetworkClient {
  return { language, localAddress: localAddress ?? withoutBrackets(hostNameOf(host) ?? '') }
}

/** Text for the operation log. */
function describeRequest(request: SetNetworkRequest): string {
  const { iface, ipaddr, netmask, gateway, label, mtu, 'further-addresses': further = [], routes = [] } = request
  if (request.remove) return `${iface} –`
  const ipv6 = request['ipv6-method'] && [
    `IPv6 ${request['ipv6-method']}`,
    ...(request['ipv6-addresses'] ?? []),
    request['ipv6-gateway'],
    formatRoutes(request['ipv6-routes'] ?? [])
  ]
  const more = [...further.map((each) => `+ ${each}`), routes.length > 0 && formatRoutes(routes), ...(ipv6 ?? [])]
  const words = (...list: unknown[]) => [iface, ...list, ...more].filter(Boolean).join(' ')
  if (request['use-dhcp'] === undefined) return words(label, mtu !== undefined && `MTU ${mtu}`)
  return request['use-dhcp'] ? words('DHCP') : words(ipaddr, netmask, gateway)
}

/** Streams can use any interface, whether they name it or not. @param prepared undefined for a change of notes alone */
const interruptionBy = (prepared: unknown): Interruption | undefined =>
  prepared ? { kind: 'all', effect: 'restarts' } : undefined

function handleSet(parts: NetworkParts): Handler {
  const { network } = parts.machine
  const notes = networkStore(parts.store)
  const handler = handlePreparedChange(
    setNetwork,
    async (context, request) => {
      context.detail = describeRequest(request)
      if (network.isNoteOnly(request))
        return void (await refuseWith(context.language, network.requireInterface(request.iface)))
      const by = requireCaller(context).user.name
      const prepared = await refuseWith(context.language, network.prepareSet(request, clientOf(context), by))
      requireUnused(parts, context, prepared, request.force)
      return prepared
    },
    (context, request, prepared) => {
      const { iface, label, uses } = request
      const note = notes.note(iface)
      if (label !== undefined || uses) notes.setNote(iface, { label: label ?? note.label, uses: uses ?? note.uses })
      context.afterCommit(() => parts.store.changes.markChanged('status'))
      return prepared ? accept(parts, context, prepared) : {}
    }
  )
  return interrupting(setNetwork, handler, { find: (_context, _request, prepared) => interruptionBy(prepared) })
}

/** The users of an interface, with the names of the channels that the caller may see. */
function nameUsers(
  { store, gate }: { store: Store; gate: Gate },
  context: Context,
  { channels, hasNdi }: InterfaceUsers
) {
  const caller = requireCaller(context)
  const mayName = hasAnyBit(caller.user.permission, INPUT_OUTPUT_VIEW)
  const visible = mayName ? channels.filter(gate.channelsVisibleTo(caller)) : []
  const names = visible.map((id) => store.channels.byId(id)?.name ?? '')
  return { names: [...names, ...(hasNdi ? ['NDI'] : [])], hasHidden: visible.length < channels.length }
}

function describeInterface(
  parts: { store: Store; gate: Gate },
  context: Context,
  { users, ...found }: UsedInterface
): NetworkInterface {
  const { names, hasHidden } = nameUsers(parts, context, users)
  return { ...found, ...(names.length > 0 && { 'used-by': names }), ...(hasHidden && { 'hidden-streams': true }) }
}

/** @throws CallError 1005 with the users of the interface */
function requireUnused(
  parts: { store: Store; gate: Gate },
  context: Context,
  { users }: PreparedChange,
  force = false
): void {
  if (!users || force) return
  const { names, hasHidden } = nameUsers(parts, context, users)
  if (names.length > 0 || hasHidden)
    throw new CallError(OBJECT_BUSY, { 'owner-i': names, ...(hasHidden && { 'owner-hidden': true }) })
}

/**
 * Begins a change after the response, and issues the ticket for the new address.
 * @throws CallError 43 if another change has begun since this one was prepared
 */
function accept(
  { machine, signInTickets }: { signInTickets: SignInTickets; machine: Machine },
  context: Context,
  prepared: PreparedChange
): ChangeAccepted {
  if (machine.network.observeChange()) throw new CallError(IN_PROGRESS)
  const { plan, by, ipaddr, overIface } = prepared.change
  context.afterCommit(() => machine.network.begin(prepared))
  const ticket = signInTickets.issue(requireCaller(context), TICKET_LIFETIME)
  const left = { 'seconds-left': NETWORK_CONFIRM_SECONDS, 'over-iface': overIface }
  return { change: { iface: plan.iface, state: 'applying', by, ipaddr, ...left }, ...(ticket && { ticket }) }
}

function handleJoin(parts: NetworkParts): Handler {
  const { network } = parts.machine
  const handler = handlePreparedChange(
    joinWifi,
    async (context, request) => {
      context.detail = `${request.iface} ${request.ssid}`
      const by = requireCaller(context).user.name
      const prepared = await refuseWith(context.language, network.prepareJoin(request, clientOf(context), by))
      requireUnused(parts, context, prepared, request.force)
      return prepared
    },
    (context, _request, prepared) => accept(parts, context, prepared)
  )
  return interrupting(joinWifi, handler, { find: (_context, _request, prepared) => interruptionBy(prepared) })
}

/** Pings at the same time, of all users. */
const PINGS_MAX = 4

function handlePing(): Handler {
  /** IDs of the users who ping a host now. */
  const users = new Set<number>()
  return handlePreparedChange(
    pingHost,
    async (context, { target }) => {
      context.detail = target
      const { id } = requireCaller(context).user
      if (users.has(id) || users.size >= PINGS_MAX) throw new CallError(IN_PROGRESS)
      users.add(id)
      try {
        return await refuseWith(context.language, ping(target))
      } finally {
        users.delete(id)
      }
    },
    (_context, _request, reply) => reply
  )
}

function handleConfirm({ machine: { network } }: { machine: Machine }): Handler {
  return handlePreparedChange(
    confirmNetwork,
    (context, request) => {
      const { language, localAddress, openedAt = 0 } = context
      return refuseWith(language, network.confirm(request, { localAddress, openedAt }, language))
    },
    () => ({})
  )
}

export function networkHandlers(parts: NetworkParts): Handler[] {
  const { network } = parts.machine
  return [
    handle(listNetwork, async (context) => {
      const { list, ...state } = await network.list(clientOf(context))
      return { ...state, list: list.map((each) => describeInterface(parts, context, each)) }
    }),
    handlePreparedChange(
      scanWifi,
      (context, { iface }) => {
        context.detail = iface
        return refuseWith(context.language, network.scan(iface, clientOf(context)))
      },
      (_context, _request, list) => ({ list })
    ),
    handleSet(parts),
    handleConfirm(parts),
    handlePing(),
    handleJoin(parts)
  ]
}
