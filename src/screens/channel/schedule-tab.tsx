// The schedule on which a channel starts and stops. Read-only without the permission to edit channels.
import type { RuleSet } from '../../../contract/rules/rules.ts'
import { scheduleRules } from '../../../contract/rules/schedule.ts'
import { type Channel, setChannel } from '../../../contract/stream/channel.ts'
import type { Schedule } from '../../../contract/stream/schedule.ts'
import { type Form, useForm } from '../../form/use-form.ts'
import { nextChangeText } from '../../parts/channel/channel-state.ts'
import { SaveBar, useUnsaved } from '../../parts/save-bar.tsx'
import { READ_ONLY } from '../../parts/settings/settings-form.tsx'
import { sendMutation } from '../../state/mutations.ts'
import { $isAllowed } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { Card } from '../../ui/card.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './dialog-text.ts'
import { ScheduleField } from './schedule-field.tsx'
import { channelSuccess } from './store.ts'

interface Values {
  schedule: Schedule
}

const RULES: RuleSet<Values> = { schedule: scheduleRules }

export function ScheduleTab({ channel }: { channel: Channel }) {
  const { id, name, config } = channel
  const nextChange = nextChangeText(channel)
  const mayEdit = useStore($isAllowed)(setChannel)
  const saved: Values = { schedule: config.schedule ?? { zone: 'UTC', rules: [] } }
  const form: Form<Values> = useForm(RULES, saved, ({ schedule }) =>
    sendMutation(
      setChannel,
      { id, name, config: { schedule } },
      { isShownElsewhere: form.showsError, success: channelSuccess(OUTCOME.saved, [{ id, name }]) }
    )
  )
  const unsaved = useUnsaved(form, saved)
  return (
    <form noValidate onSubmit={form.submit}>
      {nextChange && <p>{nextChange}.</p>}
      {!mayEdit && <p className="muted">{t(READ_ONLY)}</p>}
      <fieldset className="field" disabled={!mayEdit}>
        <Card title={t(TEXT.schedule)}>
          <ScheduleField {...form.field('schedule')} />
        </Card>
      </fieldset>
      <SaveBar busy={form.busy} unsaved={unsaved.map(() => t(TEXT.schedule))} onDiscard={() => form.setValues(saved)} />
    </form>
  )
}
