// Lists and reads channels. The calls that change them are in `settings.ts`, `outputs.ts` and `life-cycle.ts`.
import { INVALID_ARG } from '../../../contract/codes.ts'
import { channelDashboard, channelLevels, queryChannel } from '../../../contract/stream/channel.ts'
import { CONNECTION_STATE } from '../../../contract/stream/protocols.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import type { Gate } from '../../auth/gate.ts'
import type { PreviewAccess } from '../../auth/preview-access.ts'
import type { Scheduler } from '../../channels/scheduler.ts'
import type { Registry } from '../../devices/registry.ts'
import type { ChannelHealthMonitor } from '../../health/channel-health.ts'
import { CallError, type Handler, handle, requireCaller } from '../../http/handler.ts'
import type { FaultPictures } from '../../preview/fault-pictures.ts'
import type { WatchFeed } from '../../preview/watch-feed.ts'
import type { Recordings } from '../../recordings/recordings.ts'
import type { ChannelRow } from '../../store/channels.ts'
import { countLicenseUsage } from '../../store/license-usage.ts'
import type { Store } from '../../store/store.ts'
import type { TimelineRecorder } from '../../timeline/timeline-recorder.ts'
import { compareText, paginateSince } from '../list.ts'
import { requireChannel } from './changes.ts'
import { handleDuplicateChannel } from './duplicate.ts'
import { handleFaultPicture } from './fault-picture.ts'
import { withReports } from './leg-reports.ts'
import { handleDeleteChannels, handleDropChannelClients, handleEnableChannel } from './life-cycle.ts'
import { handleAddChannelOutputs, handleDeleteChannelOutputs, handleEnableChannelOutputs } from './outputs.ts'
import { handleReplaceInput } from './replace-input.ts'
import { ChannelSerializer, type Page } from './response.ts'
import { handleAddChannel, handleSetChannel, handleSetChannelInput } from './settings.ts'
import { handleSwitchChannelInput } from './switch.ts'
import { handleWatchChannel } from './watch.ts'

interface ChannelParts {
  store: Store
  gate: Gate
  registry: Registry
  engine: EngineClient
  channelHealth: ChannelHealthMonitor
  scheduler: Scheduler
  watches: WatchFeed
  faultPictures: FaultPictures
  previewAccess: PreviewAccess
  recordings: Recordings
  timeline: Pick<TimelineRecorder, 'recordWatch'>
  applyChannel: (id: number) => Promise<void>
}

interface ChannelLevelsParts {
  store: Store
  gate: Gate
  engine: EngineClient
}

/** Outputs per channel in a response when the request has no `output-count`. */
const OUTPUTS_DEFAULT = 10

/** Clients per channel in a response when the request has no `client-count`. */
const CLIENTS_DEFAULT = 10

function outputPage(request: { 'output-start'?: number; 'output-count'?: number }): Page {
  return { start: request['output-start'] ?? 0, count: request['output-count'] ?? OUTPUTS_DEFAULT }
}

function clientPage(request: { 'client-start'?: number; 'client-count'?: number }): Page {
  return { start: request['client-start'] ?? 0, count: request['client-count'] ?? CLIENTS_DEFAULT }
}

/** Whether a channel is on and carries media. */
function isLive({ engine }: { engine: EngineClient }, row: ChannelRow): boolean {
  return row.enable === 1 && engine.observe(row.id).connState === CONNECTION_STATE.connected
}

/**
 * The limits of the licence for channels, outputs and SRT servers. The current usage is only for callers who see all
 * channels.
 */
function licenseFields({ store }: { store: Store }, visible: readonly ChannelRow[], seesAll: boolean) {
  const limits = store.settings.get('license-limits')
  const used = countLicenseUsage(store.database)
  return {
    'limit-num': limits['max-live-count'],
    'limit-create-num': limits['max-channel-count'],
    'used-num': visible.length,
    'limit-output-num': limits['max-output-count'],
    'limit-srt-num': limits['max-srt-count'],
    ...(seesAll && { 'output-num': used['max-output-count'], 'srt-num': used['max-srt-count'] })
  }
}

function handleDashboard(parts: ChannelParts): Handler {
  const { store, engine, gate } = parts
  return handle(channelDashboard, (context, request) => {
    const isVisible = gate.channelsVisibleTo(requireCaller(context))
    const stored = store.channels.all()
    const all = stored.filter((row) => isVisible(row.id))
    const seesAll = all.length === stored.length
    const live = all.filter((row) => isLive(parts, row))
    let rows = request.live ? live : all
    if (request.sort) {
      const sign = request.order === 'descending' ? -1 : 1
      rows = rows.toSorted((a, b) => sign * compareText(a.name, b.name))
    } else if (request.order) throw new CallError(INVALID_ARG, { field: 'order' })
    const serializer = new ChannelSerializer(parts, context, outputPage(request), clientPage(request))
    const traffic = request.history === 1 && seesAll ? engine.trafficHistory() : undefined
    return {
      ...paginateSince(store.changes, 'channel', request, rows, (row) => serializer.serialize(row)),
      'enable-num': all.filter((row) => row.enable).length,
      'live-num': live.length,
      ...licenseFields(parts, all, seesAll),
      ...(traffic && { 'mbps-s': traffic.mbpsS, 'mbps-m': traffic.mbpsM })
    }
  })
}

function handleQueryChannel(parts: ChannelParts): Handler {
  return handle(queryChannel, (context, request) => {
    const serializer = new ChannelSerializer(parts, context, outputPage(request), clientPage(request))
    const channel = serializer.serialize(requireChannel(parts, context, request.id))
    return { channel: withReports(parts.engine, channel, request.level === 1) }
  })
}

function handleChannelLevels({ store, engine, gate }: ChannelLevelsParts): Handler {
  return handle(channelLevels, (context, { ids }) => {
    const caller = requireCaller(context)
    const known = [...new Set(ids.split(',').map(Number))].filter(
      (id) => store.channels.byId(id)?.enable === 1 && gate.canSeeChannel(caller, id)
    )
    context.objects.push(...known.map((id) => `channel:${id}`))
    return {
      list: known.map((id) => {
        const level = engine.audioLevel(id)?.levels
        return { id, ...(level && { level }) }
      })
    }
  })
}

export function channelHandlers(parts: ChannelParts): Handler[] {
  return [
    handleDashboard(parts),
    handleQueryChannel(parts),
    handleChannelLevels(parts),
    handleWatchChannel(parts),
    handleFaultPicture(parts),
    handleAddChannel(parts),
    handleSetChannel(parts),
    handleDuplicateChannel(parts),
    handleEnableChannel(parts),
    handleDropChannelClients(parts),
    handleDeleteChannels(parts),
    handleSetChannelInput(parts),
    handleReplaceInput(parts),
    handleSwitchChannelInput(parts),
    handleAddChannelOutputs(parts),
    handleEnableChannelOutputs(parts),
    handleDeleteChannelOutputs(parts)
  ]
}
