import {
  channelHistory,
  exportChannelHistory,
  HISTORY_MAX,
  type HistoryField,
  setBaseline
} from '../../contract/channel-history.ts'
import { NOT_EXIST } from '../../contract/codes.ts'
import { type Answer, answer, type Context, change, Refusal } from '../answer.ts'
import type { Hub } from '../parts.ts'
import { createFigures, type Figures } from '../streams/figures.ts'
import { historyFile } from './history-file.ts'

export function channelHistoryAnswers({ store, engine }: Hub): Answer[] {
  const { channels, sources } = store

  /** The channel and its leg; 0 and nothing are the input. */
  function known(context: Context, { id, leg }: { id: number; leg?: number }) {
    context.objects.push(`channel:${id}`)
    const row = channels.byId(id)
    if (!row) throw new Refusal(NOT_EXIST)
    const output = leg || undefined
    if (output && !channels.outputIds(id).includes(output)) throw new Refusal(NOT_EXIST, { field: 'leg' })
    return { row, output }
  }

  /** Of a leg that never ran there is nothing, which is an answer too. */
  function figuresOf(context: Context, request: { id: number; leg?: number }): Figures | undefined {
    return engine.figures(request.id, known(context, request).output)
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
      const { row, output } = known(context, request)
      context.detail = output ? `${row.name}: ${sources.output(output)?.name ?? output}` : row.name
      const legs = request.leg === undefined ? [undefined, ...channels.outputIds(row.id)] : [output]
      context.after(() => {
        for (const leg of legs) engine.figures(row.id, leg)?.reset()
        store.changes.bump('channel', row.id)
      })
      return {}
    })
  ]
}
