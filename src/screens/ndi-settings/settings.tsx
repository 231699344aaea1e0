// The page of the NDI settings, described by the hub (contract/form/pages/ndi.schema.ts).
import { DescribedCards } from '../../parts/described-form/cards.tsx'

export const NdiSettingsScreen = () => (
  <div className="cards">
    <DescribedCards page="ndiSettings" />
  </div>
)
