// Handlers for the statistics history of a channel's legs: the input, the backups and the outputs.
import { NO_RESPONSE, NOT_EXIST } from '../../../contract/codes.ts'
import {
  channelHistory,
  exportChannelHistory,
  HISTORY_FIELDS,
  HISTORY_MAX,
  type HistoryField,
  setBaseline
} from '../../../contract/stream/channel-history.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import { EngineAwayError } from '../../../engine/interfaces/errors.ts'
import type { Gate } from '../../auth/gate.ts'
import { CallError, type Context, type Handler, handle, handleChange } from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'
import { requireChannel } from './changes.ts'
import { historyFileResponse } from './history-file.ts'

interface ChannelHistoryParts {
  store: Store
  gate: Gate
  engine: EngineClient
}

export function channelHistoryHandlers(parts: ChannelHistoryParts): Handler[] {
  const { store, engine } = parts
  const { channels, sources } = store

  /**
   * The channel of a request, the requested leg, and the node ids of all legs but the main input.
   * A missing or zero `leg` is the main input, which is returned as undefined.
   * @throws CallError 16 if the channel or the leg does not exist
   */
  function requireLeg(context: Context, { id, leg }: { id: number; leg?: number }) {
    const row = requireChannel(parts, context, id)
    // The channel's own NDI output has the id of the channel.
    const legs = [...(row.ndi ? [id] : []), ...channels.outputIds(id), ...channels.backupIds(id)]
    if (leg && !legs.includes(leg)) throw new CallError(NOT_EXIST, { field: 'leg' })
    return { row, leg: leg || undefined, legs }
  }

  return [
    handle(channelHistory, (context, request) => {
      const { leg } = requireLeg(context, request)
      const { span = HISTORY_MAX, fields = 'kbps', points, by } = request
      const query = { span, fields: [...new Set(fields.split(','))] as HistoryField[], points, aggregate: by }
      return readStats(engine.legHistory(request.id, leg, query))
    }),
    handle(exportChannelHistory, async (context, request) => {
      const { leg } = requireLeg(context, request)
      const rows = await readStats(engine.legRows(request.id, leg, HISTORY_FIELDS))
      return historyFileResponse(rows, `channel-${request.id}-${request.leg || 'input'}`)
    }),
    handleChange(setBaseline, (context, request) => {
      const { row, leg, legs } = requireLeg(context, request)
      const name = leg && sources.output(leg)?.name
      context.detail = name ? `${row.name}: ${name}` : row.name
      context.afterCommit(async () => {
        await engine.resetStats(row.id, request.leg === undefined ? [undefined, ...legs] : [leg])
        store.changes.markChanged('channel', row.id)
      })
      return {}
    })
  ]
}

/** @throws CallError 47 if the engine is away */
async function readStats<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await result
  } catch (error) {
    if (error instanceof EngineAwayError) throw new CallError(NO_RESPONSE)
    throw error
  }
}
