// The views of events: problems, timelines and logs, which have two routes. A link keeps the filters that the other
// view has, too.
import { listEvents } from '../../../contract/event.ts'
import { listLog } from '../../../contract/log.ts'
import { listProblems } from '../../../contract/problem.ts'
import { channelTimeline } from '../../../contract/stream/channel-timeline.ts'
import { getSyslogStatus } from '../../../contract/syslog/status.ts'
import { linkTo, type RouteParams } from '../../paths.ts'
import { useQuery } from '../../state/location.ts'
import { $isAllowed } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { useStore } from '../../ui/use-store.ts'
import type { FilterName } from './filter.ts'
import { TEXT } from './text.ts'

export const PROBLEM_FILTERS: readonly FilterName[] = ['key', 'channel', 'sn', 'level']
export const EVENT_FILTERS: readonly FilterName[] = [...PROBLEM_FILTERS, 'from', 'to', 'user', 'kinds']
const TIMELINE_FILTERS: readonly FilterName[] = ['channel', 'from', 'to', 'kinds']
export const OPERATION_FILTERS: readonly FilterName[] = ['key', 'channel', 'sn', 'from', 'to', 'user', 'result']
export const LOG_FILTERS: readonly FilterName[] = ['key', 'channel', 'sn', 'from', 'to', 'level']

const TABS = [
  { route: 'problems', tab: 'all', title: TEXT.all, call: listEvents, keeps: EVENT_FILTERS },
  { route: 'problems', tab: undefined, title: TEXT.problems, call: listProblems, keeps: PROBLEM_FILTERS },
  { route: 'problems', tab: 'timeline', title: TEXT.timeline, call: channelTimeline, keeps: TIMELINE_FILTERS },
  { route: 'logs', tab: undefined, title: TEXT.operation, call: listLog, keeps: OPERATION_FILTERS },
  { route: 'logs', tab: 'system', title: TEXT.system, call: listLog, keeps: LOG_FILTERS },
  { route: 'logs', tab: 'device', title: TEXT.device, call: listLog, keeps: LOG_FILTERS },
  { route: 'logs', tab: 'settings', title: TEXT.settings, call: getSyslogStatus, keeps: [] }
] as const

/** The tabs of both routes. One alone is no choice. */
export function EventTabs({ route }: { route: 'problems' | 'logs' }) {
  const isAllowed = useStore($isAllowed)
  const query = useQuery()
  const requested = query.get('tab')
  const tabs = TABS.filter(({ call }) => isAllowed(call))
  const own = tabs.filter((each) => each.route === route)
  const current = own.find(({ tab }) => tab === requested) ?? own.find(({ tab }) => !tab)
  if (tabs.length < 2) return null
  return (
    <nav className="tabs" aria-label={t(route === 'logs' ? TEXT.logs : TEXT.events)}>
      {tabs.map((item) => {
        const kept: RouteParams = Object.fromEntries(item.keeps.map((name) => [name, query.get(name) ?? '']))
        return (
          <a
            key={`${item.route} ${item.tab}`}
            href={`#${linkTo(item.route, { tab: item.tab, ...kept } as never)}`}
            aria-current={item === current ? 'page' : undefined}
          >
            {t(item.title)}
          </a>
        )
      })}
    </nav>
  )
}
