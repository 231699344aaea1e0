// Starts an update: asks the hubs what they can download, and lets the user choose the release and the waves.
import { useEffect, useState } from 'react'
import { startRollout } from '../../../contract/cloud/calls.ts'
import { type CheckedHub, ROLLOUT_DEFAULTS } from '../../../contract/cloud/rollout.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { numberRange } from '../../../contract/rules/number.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { NumberField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { navigate } from '../../state/location.ts'
import { sendMutation } from '../../state/mutations.ts'
import { t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { cloudLink } from '../paths.ts'
import { hubReason } from './states.tsx'
import { type CheckedHubs, checkHubs } from './store.ts'
import { TEXT } from './text.ts'

/** Skipped hubs that are named. */
const NAMED_MAX = 8

/** Hubs with the serial numbers by which they are updated. */
type Hubs = readonly { sn: string; name: string }[]

interface StartDialogProps {
  hubs: Hubs
  onClose: (completed?: boolean) => void
}

const canUpdate = (version: string) => (hub: CheckedHub) => !hub.cause && hub.offers.includes(version)

/** What the hubs have said so far. */
function useCheck(hubs: Hubs, onClose: () => void): CheckedHubs & { isChecked: boolean } {
  const [checked, setChecked] = useState<CheckedHubs>({ hubs: [], releases: [] })
  const [isChecked, setDone] = useState(false)
  useEffect(() => {
    let isOpen = true
    const update = (next: CheckedHubs) => isOpen && setChecked(next)
    void checkHubs(
      hubs.map(({ sn }) => sn),
      update
    ).then((all) => {
      if (!all) return isOpen && onClose()
      update(all)
      setDone(true)
    })
    return () => {
      isOpen = false
    }
  }, [])
  return { ...checked, isChecked }
}

/** How many hubs can be updated to a version, and why the others are skipped. */
function CheckResult({ hubs, checked, version }: { hubs: Hubs; checked: readonly CheckedHub[]; version: string }) {
  const skipped = checked.filter((hub) => !canUpdate(version)(hub))
  const nameOf = (sn: string) => hubs.find((hub) => hub.sn === sn)?.name ?? sn
  if (skipped.length === 0) return <p>{t(TEXT.allReady, hubs.length)}</p>
  return (
    <div>
      <p>{t(TEXT.ready, checked.length - skipped.length, hubs.length)}</p>
      <ul className="lines">
        {skipped.slice(0, NAMED_MAX).map((hub) => (
          <li key={hub.sn}>
            {hub.cause ? t(TEXT.reasonOf, nameOf(hub.sn), hubReason(hub)) : t(TEXT.notOffered, nameOf(hub.sn))}
          </li>
        ))}
        {skipped.length > NAMED_MAX && <li className="muted">{t(TEXT.moreSkipped, skipped.length - NAMED_MAX)}</li>}
      </ul>
    </div>
  )
}

const initialValues = {
  version: '',
  first: String(ROLLOUT_DEFAULTS.first),
  growth: String(ROLLOUT_DEFAULTS.growth),
  wave: String(ROLLOUT_DEFAULTS.wave),
  'pause-minutes': String(ROLLOUT_DEFAULTS['pause-minutes']),
  'stop-after': String(ROLLOUT_DEFAULTS['stop-after']),
  interrupt: false as boolean
}

export function StartDialog({ hubs, onClose }: StartDialogProps) {
  const { hubs: checked, releases, isChecked } = useCheck(hubs, onClose)
  const [chosen, setChosen] = useState('')
  const version = chosen || (releases[0]?.version ?? '')
  const release = releases.find((each) => each.version === version)
  const form = useForm(
    {
      version: () => (version ? undefined : { name: 'required' }),
      first: numberRange(1, 1000),
      growth: numberRange(1, 10),
      wave: numberRange(1, 1000),
      'pause-minutes': numberRange(0, 1440),
      'stop-after': numberRange(0, 1000)
    },
    initialValues,
    async ({ first, growth, wave, 'pause-minutes': minutes, 'stop-after': stopAfter, interrupt }, options) => {
      const response = await sendMutation(
        startRollout,
        {
          ...{ sn: hubs.map(({ sn }) => sn), version, first: Number(first), growth: Number(growth) },
          ...{ wave: Number(wave), 'pause-minutes': Number(minutes), 'stop-after': Number(stopAfter), interrupt }
        },
        { ...options, success: { text: OUTCOME.started, names: [t(TEXT.outcome, version)] } }
      )
      if (response.result === SUCCESS) {
        onClose(true)
        navigate(cloudLink('update', { id: response.id }))
      }
      return response
    }
  )
  const isReady = isChecked && releases.length > 0
  return (
    <FormDialog
      form={form}
      title={t(TEXT.title)}
      submitLabel={t(TEXT.title)}
      readOnly={!isReady}
      onClose={() => onClose()}
    >
      {!isChecked && <p aria-live="polite">{t(TEXT.checking, checked.length, hubs.length)}</p>}
      {isChecked && !isReady && (
        <>
          <p className="banner">{t(TEXT.noRelease)}</p>
          <CheckResult hubs={hubs} checked={checked} version="" />
        </>
      )}
      {isReady && (
        <>
          <SelectField
            {...form.field('version')}
            value={version}
            onValueChange={setChosen}
            label={t(TEXT.release)}
            hint={release?.notes}
            options={releases.map((each) => ({ value: each.version, label: each.version }))}
          />
          <CheckResult hubs={hubs} checked={checked} version={version} />
          <p className="muted">{t(TEXT.what)}</p>
          <NumberField {...form.field('first')} label={t(TEXT.first)} />
          <NumberField {...form.field('growth')} label={t(TEXT.growth)} />
          <NumberField {...form.field('wave')} label={t(TEXT.largest)} />
          <NumberField {...form.field('pause-minutes')} label={t(TEXT.minutes)} />
          <NumberField {...form.field('stop-after')} label={t(TEXT.stopAfter)} />
          <SwitchField checkbox {...form.field('interrupt')} label={t(TEXT.interrupt)} />
        </>
      )}
    </FormDialog>
  )
}
