// NDI sources: those in the network, and the saved ones.
import { Tabs } from '../../parts/tabs.tsx'
import { PresetList } from './presets.tsx'
import { FoundSources } from './sources.tsx'
import { TEXT } from './text.ts'

const TABS = [
  { title: TEXT.sources, Content: FoundSources },
  { tab: 'presets', title: TEXT.presets, Content: PresetList }
] as const

export const NdiSourceScreen = () => <Tabs route="ndiSources" label={TEXT.title} tabs={TABS} />
