// Firmware of devices: the files, and how they are brought to devices.
import { Tabs } from '../../parts/tabs.tsx'
import { Files } from './files.tsx'
import { Rollouts } from './rollouts.tsx'
import { TEXT } from './text.ts'

const TABS = [
  { title: TEXT.files, part: Files },
  { tab: 'rollouts', title: TEXT.rollouts, part: Rollouts }
] as const

export const FirmwareScreen = () => <Tabs place="firmware" label={TEXT.firmware} tabs={TABS} />
