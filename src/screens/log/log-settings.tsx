// The settings of the logs, described by the hub (contract/form/pages/log.schema.ts).
import { DescribedCards } from '../../parts/described-form/cards.tsx'
import { SaveTogether } from '../../parts/settings/save-together.tsx'

export const LogSettings = () => (
  <SaveTogether>
    <div className="cards">
      <DescribedCards page="logs" />
    </div>
  </SaveTogether>
)
