// The page of the notifications, described by the hub (contract/form/pages/notifications.schema.ts).
import { DescribedCards } from '../../parts/described-form/cards.tsx'

export const NotificationScreen = () => (
  <div className="cards">
    <DescribedCards page="notifications" />
  </div>
)
