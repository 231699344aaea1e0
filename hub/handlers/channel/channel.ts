import { randomUUID } from 'node:crypto'
import {
  INVALID_ARG,
  NAME_EXISTS,
  NOT_EXIST,
  PLAY_KEY_EXISTS,
  PUSH_KEY_EXISTS,
  TOO_MANY,
  WRONG_STATE
} from '../../../contract/codes.ts'
import { REGISTRATION } from '../../../contract/device/device.ts'
import { SERVERS_MAX } from '../../../contract/limits.ts'
import { LOG_NONE, LOG_OFF, LOG_ON } from '../../../contract/log.ts'
import { CHANNEL_EDIT, holds } from '../../../contract/permissions.ts'
import {
  type AddChannelRequest,
  addChannel,
  addChannelOutputs,
  type Channel,
  type ChannelInput,
  type ChannelOutput,
  channelDashboard,
  deleteChannelOutputs,
  deleteChannels,
  dropChannelClients,
  enableChannel,
  enableChannelOutputs,
  type Leg,
  queryChannel,
  setChannel,
  setChannelInput
} from '../../../contract/stream/channel.ts'
import {
  CONNECTION,
  DIR_INPUT,
  DIR_OUTPUT,
  INPUT_CUSTOM,
  INPUT_DEVICE,
  INPUT_PUSHED,
  NDI,
  OUTPUT_CUSTOM,
  OUTPUT_DEVICE,
  OUTPUT_PLAYED,
  PROTOCOL_DEFAULT,
  SOURCE,
  SRT
} from '../../../contract/stream/protocols.ts'
import type { SrtOutput } from '../../../contract/stream/source.ts'
import type { ChannelObserved, LegObserved } from '../../../engine/engine.ts'
import type { Hub } from '../../context.ts'
import { type Answer, answer, type Context, change, Refusal, signedIn } from '../../http/handler.ts'
import { nextStep } from '../../messages/next-steps.ts'
import { reasonText } from '../../messages/reasons.ts'
import { type ChannelRow, type DeviceOutputRow, lifeOf, ndiOf, reachOf } from '../../store/channels.ts'
import { licenseUsage } from '../../store/license-usage.ts'
import { withinLicense } from '../license-limits.ts'
import { byText, pageSince } from '../list.ts'
import { outputAddress } from '../stream/output-config.ts'
import { maskedUrl } from '../stream/source-url.ts'

/** Outputs a channel answers when it is not told how many (reference 5.4). */
const OUTPUTS = 10
/** The same of who is connected. */
const CLIENTS = 10

interface Paging {
  start: number
  count: number
}

/** A leg of a channel that is stopped. */
const IDLE: LegObserved = { state: SOURCE.initializing, connState: CONNECTION.waiting, kbps: 0, livingTimeS: 0 }

/** Whether a leg carries media now. */
const carries = (leg: { 'conn-state': number }) => leg['conn-state'] === CONNECTION.connected

export function channelAnswers(hub: Hub): Answer[] {
  const { store, gate, engine, registry, scheduler } = hub
  const { channels, sources, devices } = store

  function known(context: Context, id: number): ChannelRow {
    context.objects.push(`channel:${id}`)
    const row = channels.byId(id)
    if (!row) throw new Refusal(NOT_EXIST)
    return row
  }

  function leg(
    { language }: Context,
    observed: LegObserved | undefined
  ): Pick<Leg, 'kbps' | 'state' | 'conn-state' | 'living-time-s' | 'reason' | 'next-step'> {
    const { state, connState, kbps, livingTimeS, reason } = observed ?? IDLE
    const step = nextStep(language, observed ?? IDLE)
    return {
      kbps,
      state,
      'conn-state': connState,
      'living-time-s': livingTimeS,
      ...(reason && { reason: reasonText(language, reason) }),
      ...(step && { 'next-step': step })
    }
  }

  /**
   * The input as a caller is told of it. That a channel carries something, and how well, is the channel's; which device it comes from
   * is for who may see that device. The id stays, so that an editor can tell that the input is still the same.
   */
  function inputWire(context: Context, id: number, observed: LegObserved | undefined): ChannelInput | null {
    const source = sources.input(id)
    if (source)
      return {
        id,
        name: source.name,
        type: INPUT_CUSTOM,
        protocol: source.protocol,
        addr: maskedUrl(source.url),
        ...leg(context, observed)
      }
    const device = devices.byId(id)
    if (!device) return null
    if (!gate.seesDevice(signedIn(context), device)) {
      const { reason: _, 'next-step': __, ...measured } = leg(context, observed)
      return { id, name: '', type: INPUT_DEVICE, protocol: PROTOCOL_DEFAULT, addr: '', hidden: true, ...measured }
    }
    const preview = registry.wire(device, [])['preview-id']
    return {
      id,
      name: device.name,
      type: INPUT_DEVICE,
      protocol: PROTOCOL_DEFAULT,
      addr: device.connect_ip,
      sn: device.sn,
      ...(preview && { 'preview-id': preview }),
      ...leg(context, observed)
    }
  }

  /** Whoever pushes to a channel that has no other input, or what there is to say while it waits; null when it is stopped. */
  function pushedWire(context: Context, observed: ChannelObserved | undefined): ChannelInput | null {
    if (!observed) return null
    const { protocol = PROTOCOL_DEFAULT, address = '' } = observed.clients?.find(({ sends }) => sends) ?? {}
    return { id: 0, name: address, type: INPUT_PUSHED, protocol, addr: address, ...leg(context, observed.input) }
  }

  /** The same of a device that is an output. */
  function deviceOutputWire(
    context: Context,
    { id, enable }: DeviceOutputRow,
    observed: LegObserved | undefined
  ): ChannelOutput[] {
    const device = devices.byId(id)
    if (!device) return []
    const { reason, 'next-step': step, ...measured } = leg(context, observed)
    const output = { id, type: OUTPUT_DEVICE, protocol: PROTOCOL_DEFAULT, enable: enable === 1, ...measured }
    if (!gate.seesDevice(signedIn(context), device)) return [{ ...output, name: '', addr: '', hidden: true }]
    const { name, connect_ip: addr, sn } = device
    return [{ ...output, name, addr, sn, ...(reason && { reason }), ...(step && { 'next-step': step }) }]
  }

  function clientsWire(observed: ChannelObserved | undefined, { start, count }: Paging): Channel['clients'] {
    const all = observed?.clients ?? []
    const list = all.slice(start, start + count).map(({ id, sends, protocol, address, output, kbps, livingTimeS }) => ({
      ...{ id, type: sends ? INPUT_PUSHED : OUTPUT_PLAYED, protocol, addr: address },
      ...(output !== undefined && { output }),
      ...{ 'living-time-s': livingTimeS, kbps }
    }))
    return { start, total: all.length, list }
  }

  /** The same input, with the picture of what it is part of where it has none of its own and the caller may see all that may be in it. */
  function pictured(input: ChannelInput, row: ChannelRow, backups: readonly ChannelInput[]): ChannelInput {
    if (input['preview-id'] || [input, ...backups].some(({ hidden }) => hidden)) return input
    return { ...input, 'preview-id': `CHANNEL-${row.id}` }
  }

  function wire(context: Context, row: ChannelRow, page: Paging, clients: Paging): Channel {
    const observed = row.enable ? engine.observe(row.id) : undefined
    const first =
      row.input_id === null ? pushedWire(context, observed) : inputWire(context, row.input_id, observed?.input)
    const backupIds = channels.backupIds(row.id)
    const backups = backupIds.flatMap((id) => inputWire(context, id, observed?.backups?.get(id)) ?? [])
    const { onAir } = observed ?? {}
    // There is nothing to be seen of one that waits for a push.
    const seen = first && (first.id !== 0 || first.name !== '' || onAir?.slate)
    const input = observed && seen ? pictured(first, row, backups) : first
    const edge = scheduler.next(row)
    const whole = observed ?? IDLE
    const ids = channels.outputIds(row.id)
    const ndi = ndiOf(row)
    const own = ndi && {
      id: row.id,
      name: row.name,
      protocol: NDI,
      config: ndi,
      enable: ndi.enable ? 1 : 0,
      channel_id: row.id
    }
    const all: ChannelOutput[] = [own, ...ids.map((id) => sources.output(id))].flatMap((output) => {
      if (!output) return []
      const { id } = output
      const seen = observed?.outputs.get(id)
      return {
        id,
        name: output.name,
        type: OUTPUT_CUSTOM,
        protocol: output.protocol,
        addr: outputAddress(output),
        enable: output.enable === 1,
        ...(output.protocol === SRT && { mode: (output.config as SrtOutput).mode }),
        ...(seen?.clientNum !== undefined && { 'client-num': seen.clientNum }),
        ...leg(context, seen)
      }
    })
    for (const device of channels.devices(row.id))
      all.push(...deviceOutputWire(context, device, observed?.outputs.get(device.id)))
    return {
      id: row.id,
      name: row.name,
      config: {
        enable: row.enable === 1,
        ...(holds(signedIn(context).user.permission, CHANNEL_EDIT) && {
          'play-key': row.play_key,
          'push-key': row.push_key
        }),
        backups: backupIds,
        ndi: ndi ?? { enable: false },
        ...reachOf(row),
        ...lifeOf(row)
      },
      input,
      backups,
      ...(onAir && {
        'on-air': { input: onAir.input ?? null, slate: onAir.slate, why: reasonText(context.language, onAir.why) }
      }),
      ...(edge && { 'next-edge': { at: Math.floor(edge.at / 1000), enable: edge.enable } }),
      outputs: { start: page.start, total: all.length, list: all.slice(page.start, page.start + page.count) },
      clients: clientsWire(observed, clients),
      state: whole.state,
      kbps: whole.kbps,
      'living-time-s': whole.livingTimeS,
      'conn-num': all.filter(carries).length
    }
  }

  /** With what was measured of each leg, and with `listens` how loud the input on air is. */
  function reported(channel: Channel, listens: boolean): Channel {
    const loud = listens ? engine.level(channel.id) : undefined
    /** @param id of an output or a backup; none is the first input */
    const of = <One extends Leg>(leg: One, id?: number): One => {
      const report = engine.figures(channel.id, id)?.report(leg.kbps)
      return report ? { ...leg, report } : leg
    }
    const heard = <One extends Leg>(leg: One, backup?: number): One =>
      leg.report && loud && loud.backup === backup ? { ...leg, report: { ...leg.report, level: loud.level } } : leg
    const { input, backups, outputs } = channel
    return {
      ...channel,
      input: input && heard(of(input)),
      ...(backups && { backups: backups.map((backup) => heard(of(backup, backup.id), backup.id)) }),
      outputs: { ...outputs, list: outputs.list.map((output) => of(output, output.id)) }
    }
  }

  function isLive(row: ChannelRow): boolean {
    return row.enable === 1 && engine.observe(row.id).connState === CONNECTION.connected
  }

  function outputsPage(request: { 'output-start'?: number; 'output-count'?: number }) {
    return { start: request['output-start'] ?? 0, count: request['output-count'] ?? OUTPUTS }
  }

  function clientsPage(request: { 'client-start'?: number; 'client-count'?: number }) {
    return { start: request['client-start'] ?? 0, count: request['client-count'] ?? CLIENTS }
  }

  function changed(context: Context, id: number): void {
    context.after(() => hub.applyChannel(id))
  }

  /** Devices are told of with the channel that plays on them. */
  function playersChanged(context: Context, nodes: readonly number[]): void {
    for (const id of nodes) if (devices.byId(id)) context.after(() => store.changes.bump('device', id))
  }

  /** Keys as given, else as they were, else new; unique among all keys of the hub. */
  function keysOf(request: AddChannelRequest, before?: ChannelRow) {
    const play = (request.config?.['play-key'] ?? before?.play_key) || `PULL-${randomUUID().toUpperCase()}`
    const push = (request.config?.['push-key'] ?? before?.push_key) || `PUSH-${randomUUID().toUpperCase()}`
    const taken = (key: string) => {
      const row = channels.byKey(key)
      return row !== undefined && row.id !== before?.id
    }
    if (taken(play)) throw new Refusal(PLAY_KEY_EXISTS, { field: 'config.play-key' })
    if (taken(push) || push === play) throw new Refusal(PUSH_KEY_EXISTS, { field: 'config.push-key' })
    return { play, push }
  }

  function freeName(name: string, id?: number): void {
    const row = channels.byName(name)
    if (row && row.id !== id) throw new Refusal(NAME_EXISTS, { field: 'name' })
  }

  /** Whether a caller may make a node a channel's input: a source, or an accepted device that can send and that the caller sees. */
  function isInput(context: Context, id: number): boolean {
    if (sources.input(id)) return true
    const device = devices.byId(id)
    if (device?.reg_state !== REGISTRATION.accepted || (device.dir & DIR_INPUT) === 0) return false
    return gate.seesDevice(signedIn(context), device)
  }

  /** A node that may be an input, be it the first or a backup. */
  function demandInput(context: Context, id: number, field: string): void {
    if (!isInput(context, id)) {
      context.objects.push(`input:${id}`)
      throw new Refusal(NOT_EXIST, { field })
    }
  }

  /** Keeps what a request says of a channel's life; what it does not say stays. @returns whether there is another schedule now */
  function keepLife(context: Context, id: number, { config }: AddChannelRequest): boolean {
    const row = channels.byId(id)
    if (!row || !config) return false
    const reach = reachOf(row)
    channels.setReach(id, {
      protocol: { ...reach.protocol, ...config.protocol },
      'allow-ip': config['allow-ip'] ?? reach['allow-ip']
    })
    const { ndi, backups, switch: rule, slate, schedule } = config
    if (ndi && (ndi.enable || row.ndi)) channels.setNdi(id, ndi)
    if (backups) {
      const before = channels.backupIds(id)
      if (new Set(backups).size < backups.length || backups.includes(row.input_id ?? 0))
        throw new Refusal(INVALID_ARG, { field: 'config.backups', fault: 'same' })
      // One that the caller may not see may stay, as it does in `config.backups` of the answers.
      for (const backup of backups) if (!before.includes(backup)) demandInput(context, backup, 'config.backups')
      channels.setBackups(id, backups)
    }
    const { slate: stillBefore, ...before } = lifeOf(row)
    const life = { switch: rule ?? before.switch, slate: slate ?? stillBefore, schedule: schedule ?? before.schedule }
    channels.setLife(id, life)
    return JSON.stringify(life.schedule) !== JSON.stringify(before.schedule)
  }

  /** What the licence limits, and how much of it is in use. */
  function licensed() {
    const limits = store.settings.get('license-limits')
    const used = licenseUsage(store.database)
    return {
      'limit-num': limits['max-live-count'],
      'limit-create-num': limits['max-channel-count'],
      'used-num': used['max-channel-count'],
      'output-num': used['max-output-count'],
      'limit-output-num': limits['max-output-count'],
      'srt-num': used['max-srt-count'],
      'limit-srt-num': limits['max-srt-count']
    }
  }

  /** An output, or an accepted device that can play and that the caller sees, which no channel has; `id` is a node's. */
  function freeOutput(context: Context, id: number): { name: string; add(channel: number): void } {
    const device = devices.byId(id)
    const seen = device && gate.seesDevice(signedIn(context), device) ? device : undefined
    context.objects.push(seen ? `device:${seen.sn}` : `output:${id}`)
    const plays = seen?.reg_state === REGISTRATION.accepted && (seen.dir & DIR_OUTPUT) !== 0 ? seen : undefined
    const output = sources.output(id)
    const found = output ?? plays
    if (!found) throw new Refusal(NOT_EXIST, { field: 'outputs' })
    const taken = output ? output.channel_id !== null : channels.byDevice(id) !== undefined
    if (taken) throw new Refusal(WRONG_STATE, { field: 'outputs' })
    const add = output ? channels.addOutput : channels.addDevice
    return { name: found.name, add: (channel) => add(channel, id) }
  }

  /** What the operation log calls outputs of a channel. What is a device is written as being about it, for its name is. */
  const outputNames = (context: Context, row: ChannelRow, ids: readonly number[]) =>
    ids
      .map((id) => {
        const device = devices.byId(id)
        // Who does it reads the line, and may not see the device.
        if (device && !gate.seesDevice(signedIn(context), device)) return id
        if (device) context.objects.push(`device:${device.sn}`)
        return (sources.output(id) ?? device)?.name ?? (id === row.id ? 'NDI' : id)
      })
      .join(', ')

  /** What the operation log calls an input. One that is a device is written as being about it, for its name is. */
  function inputName(context: Context, id: number): string | number {
    const device = devices.byId(id)
    context.objects.push(device ? `device:${device.sn}` : `input:${id}`)
    return (device ?? sources.input(id))?.name ?? id
  }

  return [
    answer(channelDashboard, (context, request) => {
      const all = channels.all()
      const live = all.filter(isLive)
      const rows = request.live ? live : all
      if (request.sort) {
        const sign = request.order === 'descending' ? -1 : 1
        rows.sort((a, b) => sign * byText(a.name, b.name))
      } else if (request.order) throw new Refusal(INVALID_ARG, { field: 'order' })
      const [page, clients] = [outputsPage(request), clientsPage(request)]
      return {
        ...pageSince(store.changes, 'channel', request, rows, (row) => wire(context, row, page, clients)),
        'enable-num': all.filter((row) => row.enable).length,
        'live-num': live.length,
        ...licensed(),
        ...(request.history === 1 && { 'mbps-s': engine.traffic().mbpsS, 'mbps-m': engine.traffic().mbpsM })
      }
    }),
    answer(queryChannel, (context, request) => {
      const channel = wire(context, known(context, request.id), outputsPage(request), clientsPage(request))
      return { channel: reported(channel, request.level === 1) }
    }),
    change(addChannel, (context, request) => {
      context.detail = request.name
      freeName(request.name)
      const { play, push } = keysOf(request)
      const id = withinLicense(store, () => channels.add(request.name, play, push))
      context.objects.push(`channel:${id}`)
      keepLife(context, id, request)
      changed(context, id)
      context.after(() => scheduler.changed(id))
      return { id }
    }),
    change(setChannel, (context, request) => {
      const row = known(context, request.id)
      context.detail = row.name === request.name ? row.name : `${row.name} → ${request.name}`
      freeName(request.name, row.id)
      const { play, push } = keysOf(request, row)
      channels.set(row.id, request.name, play, push)
      const rescheduled = withinLicense(store, () => keepLife(context, row.id, request))
      changed(context, row.id)
      if (rescheduled) context.after(() => scheduler.changed(row.id))
      return {}
    }),
    change(enableChannel, (context, request) => {
      const row = known(context, request.id)
      context.detail = `${row.name} ${request.enable ? LOG_ON : LOG_OFF}`
      withinLicense(store, () => channels.setEnable(row.id, request.enable))
      changed(context, row.id)
      return {}
    }),
    change(dropChannelClients, (context, request) => {
      const row = known(context, request.id)
      const there = engine.observe(row.id).clients ?? []
      const clients = there.filter(({ id }) => request.clients.includes(id))
      context.detail = `${row.name}: ${clients.map(({ address }) => address).join(', ')}`
      if (clients.length < new Set(request.clients).size) throw new Refusal(NOT_EXIST, { field: 'clients' })
      context.after(() => {
        for (const { id } of clients) engine.dropClient(row.id, id)
      })
      return {}
    }),
    change(deleteChannels, (context, request) => {
      const rows = [...new Set([request.id].flat())].map((id) => known(context, id))
      context.detail = rows.map((row) => row.name).join(', ')
      for (const row of rows) {
        playersChanged(
          context,
          channels.devices(row.id).map(({ id }) => id)
        )
        channels.remove(row.id)
        changed(context, row.id)
      }
      return {}
    }),
    change(setChannelInput, (context, request) => {
      const row = known(context, request.id)
      context.detail = request.input === 0 ? `${row.name} ${LOG_NONE}` : row.name
      if (request.input !== 0) {
        demandInput(context, request.input, 'input')
        context.detail = `${row.name}: ${inputName(context, request.input)}`
      }
      withinLicense(store, () => {
        // A backup that becomes the first input is no backup of itself.
        const backups = channels.backupIds(row.id).filter((id) => id !== request.input)
        channels.setInput(row.id, request.input || null)
        channels.setBackups(row.id, backups)
      })
      changed(context, row.id)
      return {}
    }),
    change(addChannelOutputs, (context, request) => {
      const row = known(context, request.id)
      context.detail = row.name
      const mine = [...channels.outputIds(row.id), ...channels.devices(row.id)]
      const added = [...new Set(request.outputs)].map((id) => {
        return freeOutput(context, id)
      })
      if (mine.length + added.length > SERVERS_MAX) throw new Refusal(TOO_MANY, { max: SERVERS_MAX, of: 'server' })
      withinLicense(store, () => {
        for (const output of added) output.add(row.id)
      })
      context.detail = `${row.name}: ${added.map((output) => output.name).join(', ')}`
      changed(context, row.id)
      context.after(() => store.changes.bump('source'))
      playersChanged(context, request.outputs)
      return {}
    }),
    change(enableChannelOutputs, (context, request) => {
      const row = known(context, request.id)
      const outputs = [...new Set(request.outputs)]
      context.detail = `${row.name}: ${outputNames(context, row, outputs)} ${request.enable ? LOG_ON : LOG_OFF}`
      withinLicense(store, () => {
        for (const id of outputs) {
          const ndi = id === row.id && ndiOf(row)
          if (ndi) {
            channels.setNdi(id, { ...ndi, enable: request.enable })
            continue
          }
          context.objects.push(`output:${id}`)
          if (!channels.setOutputEnable(row.id, id, request.enable)) throw new Refusal(NOT_EXIST, { field: 'outputs' })
        }
      })
      changed(context, row.id)
      return {}
    }),
    change(deleteChannelOutputs, (context, request) => {
      const row = known(context, request.id)
      const outputs = [...new Set(request.outputs)]
      context.detail = `${row.name}: ${outputNames(context, row, outputs)}`
      for (const id of outputs) {
        if (id === row.id && row.ndi) {
          channels.setNdi(id)
          continue
        }
        context.objects.push(`output:${id}`)
        if (!channels.removeOutput(row.id, id)) throw new Refusal(NOT_EXIST, { field: 'outputs' })
      }
      changed(context, row.id)
      context.after(() => store.changes.bump('source'))
      playersChanged(context, outputs)
      return {}
    })
  ]
}
