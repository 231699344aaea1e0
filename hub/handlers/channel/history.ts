import { NOT_EXIST } from '../../../contract/codes.ts'
import {
  channelHistory,
  exportChannelHistory,
  HISTORY_MAX,
  type HistoryField,
  setBaseline
} from '../../../contract/stream/channel-history.ts'
import { createFigures, type Figures } from '../../../engine/stats/leg-stats.ts'
import type { Hub } from '../../context.ts'
import { type Answer, answer, type Context, change, Refusal } from '../../http/handler.ts'
import { historyFile } from './history-file.ts'

export function channelHistoryAnswers({ store, engine }: Hub): Answer[] {
  const { channels, sources } = store

  /** The channel and its leg; 0 and nothing are the input. */
  function known(context: Context, { id, leg }: { id: number; leg?: number }) {
    context.objects.push(`channel:${id}`)
    const row = channels.byId(id)
    if (!row) throw new Refusal(NOT_EXIST)
    // That of the channel itself has its id.
    const legs = [...(row.ndi ? [id] : []), ...channels.outputIds(id), ...channels.backupIds(id)]
    if (leg && !legs.includes(leg)) throw new Refusal(NOT_EXIST, { field: 'leg' })
    return { row, leg: leg || undefined, legs }
  }

  /** Of a leg that never ran there is nothing, which is an answer too. */
  function figuresOf(context: Context, request: { id: number; leg?: number }): Figures | undefined {
    return engine.figures(request.id, known(context, request).leg)
  }

  return [
    answer(channelHistory, (context, request) => {
      const figures = figuresOf(context, request)
      const { span = HISTORY_MAX, fields = 'kbps', points, by } = request
      const asked = { span, fields: [...new Set(fields.split(','))] as HistoryField[], points, by }
      return (figures ?? createFigures()).history(asked, performance.now())
    }),
    answer(exportChannelHistory, (context, request) => {
      const figures = figuresOf(context, request) ?? createFigures()
      return historyFile(figures, `channel-${request.id}-${request.leg || 'input'}`)
    }),
    change(setBaseline, (context, request) => {
      const { row, leg, legs } = known(context, request)
      const name = leg && sources.output(leg)?.name
      context.detail = name ? `${row.name}: ${name}` : row.name
      context.after(() => {
        for (const each of request.leg === undefined ? [undefined, ...legs] : [leg])
          engine.figures(row.id, each)?.reset()
        store.changes.bump('channel', row.id)
      })
      return {}
    })
  ]
}
