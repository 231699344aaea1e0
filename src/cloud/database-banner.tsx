// Says that the database of the cloud does not answer.
import { Banner } from '../frame/banner.tsx'
import { timeOfDay } from '../text/dates.ts'
import { type Translation, t } from '../text/language.ts'
import { useStore } from '../ui/use-store.ts'
import { $staleSince } from './transport.ts'

const DATABASE_LOST: Translation = [
  'The database of the cloud does not answer. Shown is the state of {time}; nothing can be changed. Opened hubs go on.',
  '云平台的数据库无响应。当前显示 {time} 的状态，无法进行更改。已打开的中控不受影响。'
]

export function DatabaseBanner() {
  const since = useStore($staleSince)
  return since > 0 && <Banner tone="bad" text={t(DATABASE_LOST, { time: timeOfDay(since) })} />
}
