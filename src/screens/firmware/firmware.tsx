// Device firmware: files, releases on a web server, and rollouts.
import { TEXT as RELEASES } from '../../parts/online-releases.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { FirmwareFiles } from './files.tsx'
import { OnlineReleases } from './online.tsx'
import { RolloutList } from './rollouts.tsx'
import { TEXT } from './text.ts'

const TABS = [
  { title: TEXT.files, Content: FirmwareFiles },
  { tab: 'online', title: RELEASES.online, Content: OnlineReleases },
  { tab: 'rollouts', title: TEXT.rollouts, Content: RolloutList }
] as const

export const FirmwareScreen = () => <Tabs route="firmware" label={TEXT.firmware} tabs={TABS} />
