// Settings of hardware panels: the port of a matrix for the Videohub Ethernet Protocol.

import { type Matrix, type PanelSettings, setMatrix, VIDEOHUB_PORT } from '../../../contract/ndi/router.ts'
import { clientRange } from '../../../contract/rules/network.ts'
import { port, type RuleSet } from '../../../contract/rules/rules.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { FieldMessage } from '../../form/labelled-field.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { NumberField, TextField } from '../../form/text-field.tsx'
import { type Form, useForm } from '../../form/use-form.ts'
import { $isAllowed } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { numberedLabel } from './describe.ts'
import { TEXT } from './dialog-text.ts'
import { $matrices, saveMatrix } from './store.ts'
import { useDialogMatrix } from './use-matrix.ts'

interface Values {
  enable: boolean
  port: string
  /** Addresses and ranges, separated by spaces or commas. */
  'allow-ip': string
  all: boolean
  destinations: readonly number[]
  'take-mode': boolean
}

const splitList = (text: string) => text.split(/[\s,]+/).filter(Boolean)

const RULES: RuleSet<Values> = {
  port,
  'allow-ip': (value) =>
    splitList(value)
      .map(clientRange)
      .find((fault) => fault !== undefined),
  destinations: ({ length }, { all }) => (all || length > 0 ? undefined : { name: 'required' })
}

function valuesOf(panel: PanelSettings | undefined): Values {
  const { enable = false, port: number = VIDEOHUB_PORT, 'allow-ip': allowed = [], destinations = [] } = panel ?? {}
  return {
    'take-mode': panel?.['take-mode'] ?? true,
    enable,
    port: String(number),
    'allow-ip': allowed.join(' '),
    all: destinations.length === 0,
    destinations
  }
}

interface PanelSettingsDialogProps {
  matrixId: number
  onClose: (completed?: boolean) => void
}

export function PanelSettingsDialog({ matrixId, onClose }: PanelSettingsDialogProps) {
  const matrix = useDialogMatrix(matrixId, onClose)
  const isAllowed = useStore($isAllowed)
  const form = useForm<Values>(
    RULES,
    valuesOf($matrices.get().items.find(({ id }) => id === matrixId)?.panel),
    async ({ port: number, 'allow-ip': allowed, all, destinations, ...fields }, options) => {
      const panel = {
        ...fields,
        port: Number(number),
        'allow-ip': splitList(allowed),
        destinations: all ? [] : [...destinations]
      }
      return matrix && saveMatrix(matrix, { panel }, options)
    },
    { onSuccess: () => onClose(true) }
  )
  if (!matrix) return null
  return (
    <FormDialog form={form} title={t(TEXT.panelTitle, matrix.name)} readOnly={!isAllowed(setMatrix)} onClose={onClose}>
      <p className="muted">{t(TEXT.panelText)}</p>
      <PanelStatus matrix={matrix} />
      <SwitchField {...form.field('enable')} label={t(TEXT.enable)} />
      <NumberField {...form.field('port')} label={t(TEXT.port)} />
      <TextField {...form.field('allow-ip')} label={t(TEXT.allowed)} hint={t(TEXT.allowedHint)} />
      <SwitchField {...form.field('take-mode')} label={t(TEXT.takeMode)} hint={t(TEXT.takeModeHint)} />
      <SwitchableField matrix={matrix} form={form} />
    </FormDialog>
  )
}

const STATES = {
  listening: { tone: 'good', text: TEXT.stateListening },
  failed: { tone: 'bad', text: TEXT.stateFailed },
  off: { tone: 'off', text: TEXT.stateOff }
} as const

/** Whether the port is open now, with its clients, or why not. */
function PanelStatus({ matrix: { panel } }: { matrix: Matrix }) {
  const { state, reason, clients } = panel
  if (!state) return null
  const { tone, text } = STATES[state]
  return (
    <p>
      <StatusLabel tone={tone} text={t(text)} />{' '}
      {state === 'listening' && clients !== undefined && <span className="muted">{t(TEXT.panelClients, clients)}</span>}
      {reason}
    </p>
  )
}

function SwitchableField({ matrix, form }: { matrix: Matrix; form: Form<Values> }) {
  const { all, destinations } = form.values
  const { name, error } = form.field('destinations')
  const toggle = (destination: number, isOn: boolean) =>
    form.setValues({
      destinations: matrix.destinations
        .map(({ index }) => index)
        .filter((index) => (index === destination ? isOn : destinations.includes(index)))
    })
  return (
    <fieldset className="field">
      <legend>{t(TEXT.switchable)}</legend>
      <SwitchField {...form.field('all')} checkbox label={t(TEXT.allDestinations)} />
      {!all &&
        matrix.destinations.map((destination) => (
          <Checkbox
            key={destination.index}
            label={numberedLabel(destination)}
            checked={destinations.includes(destination.index)}
            onCheckedChange={(isOn) => toggle(destination.index, isOn)}
          />
        ))}
      <FieldMessage id={name} error={error} />
    </fieldset>
  )
}
