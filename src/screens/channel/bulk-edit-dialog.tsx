// Edits many channels at once: chooses what to change, shows what changes in each channel, then makes the changes.
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import type { Access } from '../../../contract/call.ts'
import { optional, port, type RuleSet, required } from '../../../contract/rules/rules.ts'
import { scheduleRules } from '../../../contract/rules/schedule.ts'
import { addChannelOutputs, type Channel, deleteChannelOutputs, setChannel } from '../../../contract/stream/channel.ts'
import { setChannelSecurity } from '../../../contract/stream/channel-security.ts'
import type { ChannelOutput } from '../../../contract/stream/leg.schema.ts'
import type { OutputPreset } from '../../../contract/stream/preset.ts'
import { OUTPUT_PROTOCOL_NAMES } from '../../../contract/stream/protocols.ts'
import type { Schedule } from '../../../contract/stream/schedule.ts'
import { addOutput, type Output } from '../../../contract/stream/source.ts'
import { assignTags, TAG_EDIT } from '../../../contract/tag.ts'
import { SelectField } from '../../form/select-field.tsx'
import { NumberField, PasswordField } from '../../form/text-field.tsx'
import { type Form, useForm } from '../../form/use-form.ts'
import { AccessDialog } from '../../parts/access/access-editor.tsx'
import * as ACCESS_TEXT from '../../parts/access/text.ts'
import { PREVIEW } from '../../parts/preview-text.ts'
import { SERVICES } from '../../parts/source/services.ts'
import { SourceFields } from '../../parts/source/source-dialog.tsx'
import type { SourceValues } from '../../parts/source/source-form.ts'
import { TagDialog } from '../../parts/tag/tag-dialog.tsx'
import * as TAG_TEXT from '../../parts/tag/text.ts'
import { $isAllowed } from '../../state/session.ts'
import { $outputs, $presets } from '../../state/sources.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import {
  applyChanges,
  expandText,
  isPossible,
  keyField,
  type PlannedChange,
  planAccess,
  planOutputs,
  planRemoval,
  planSettings,
  planTags
} from './bulk-edit.ts'
import { type FailoverValues, failoverChange, SWITCHES, scheduleChange } from './bulk-settings.ts'
import { TEXT } from './bulk-text.ts'
import { DECODER, destinationFields, destinationRules, destinationsWith, destinationValues } from './destination.ts'
import { DestinationPicker } from './destination-picker.tsx'
import { TEXT as DIALOG_TEXT } from './dialog-text.ts'
import { InputField } from './input-field.tsx'
import { ScheduleField } from './schedule-field.tsx'
import { LABELS, switchAfterRule, switchBackRule } from './settings-values.ts'
import * as CHANNEL_TEXT from './text.ts'

const editTags = { access: TAG_EDIT.channel, path: assignTags.path }

interface BulkEditDialogProps {
  channels: readonly Channel[]
  onClose: (completed?: boolean) => void
}

/** What can be changed: the form that asks for it. */
interface Part {
  /** The calls that it makes, which the user must be allowed to make. */
  calls: readonly { access: Access }[]
  value: string
  label: string
  form: Pick<Form<object>, 'submit' | 'busy'>
  fields: ReactNode
  /** Opens a dialog of its own that asks for it. */
  open?: () => Promise<boolean>
}

export function BulkEditDialog({ channels, onClose }: BulkEditDialogProps) {
  const isAllowed = useStore($isAllowed)
  const [plan, setPlan] = useState<readonly PlannedChange[]>()
  const [chosen, choose] = useState('')
  const outputs = useOutputForm(channels, setPlan)
  const removal = useRemovalForm(channels, setPlan)
  const failover = useFailoverForm(channels, setPlan)
  const schedule = useScheduleForm(channels, setPlan)
  const openAccess = () =>
    openDialog(AccessDialog, {
      subject: {
        of: 'channel',
        objects: channels,
        onSelect: (security) => setPlan(planAccess(channels, security))
      }
    })
  const openTags = () =>
    openDialog(TagDialog, {
      kind: 'channel',
      objects: channels,
      onSelect: (add, remove) => setPlan(planTags(channels, add, remove))
    })
  const allParts: Part[] = [
    { calls: [addOutput, addChannelOutputs], value: 'output', label: t(TEXT.addOutput), ...outputs },
    { calls: [deleteChannelOutputs], value: 'removal', label: t(TEXT.removeOutputs), ...removal },
    { calls: [setChannel], value: 'failover', label: t(DIALOG_TEXT.failover), ...failover },
    { calls: [setChannel], value: 'schedule', label: t(DIALOG_TEXT.schedule), ...schedule },
    { calls: [setChannelSecurity], value: 'access', label: t(ACCESS_TEXT.access), ...dialogPart(openAccess) },
    { calls: [editTags], value: 'tags', label: t(TAG_TEXT.tags), ...dialogPart(openTags) }
  ]
  const parts = allParts.filter(({ calls }) => calls.every(isAllowed))
  const choosePart = (value: string) => {
    choose(value)
    void parts.find((each) => each.value === value)?.open?.()
  }
  const part = parts.find(({ value }) => value === chosen) ?? parts[0]
  const [first] = channels
  const several = t(CHANNEL_TEXT.itemCount, channels.length)
  const title = t(CHANNEL_TEXT.edit, first && channels.length === 1 ? first.name : several)
  const possible = plan?.filter(isPossible) ?? []
  const apply = (event: { preventDefault(): void }) => {
    event.preventDefault()
    onClose(true)
    void applyChanges(part?.label ?? title, possible)
  }
  return (
    <Dialog
      title={title}
      onClose={() => onClose()}
      onSubmit={plan ? apply : part?.form.submit}
      footer={
        plan ? (
          <>
            <Button label={t(TEXT.back)} onClick={() => setPlan(undefined)} />
            <Button
              key="apply"
              submit
              kind={possible.some(({ interruptions }) => interruptions) ? 'danger' : 'main'}
              label={t(TEXT.apply)}
              disabled={possible.length === 0}
            />
          </>
        ) : (
          <Button submit kind="main" label={t(PREVIEW)} busy={part?.form.busy} />
        )
      }
    >
      {plan ? (
        <Preview plan={plan} />
      ) : (
        <div className="stack">
          <SegmentedControl label={t(TEXT.part)} options={parts} value={part?.value ?? ''} onChange={choosePart} />
          <div>{part?.fields}</div>
        </div>
      )}
    </Dialog>
  )
}

/** Channels that cannot be changed come first, then those that go off air. */
const orderOf = ({ refusal, interruptions, lines }: PlannedChange): number =>
  refusal ? 0 : interruptions ? 1 : lines.length > 0 ? 2 : 3

function Preview({ plan }: { plan: readonly PlannedChange[] }) {
  const summary = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => summary.current?.focus(), [])
  return (
    <>
      <p className="day" ref={summary} tabIndex={-1}>
        {t(TEXT.summary, plan.filter(isPossible).length, plan.length)}
      </p>
      <ul className="lines">
        {plan
          .toSorted((a, b) => orderOf(a) - orderOf(b))
          .map(({ channel, lines, refusal, interruptions = [] }) => (
            <li key={channel.id}>
              <div>
                <strong>{channel.name}</strong>
                {refusal && <StatusLabel tone="bad" text={refusal} />}
                {!refusal && lines.length === 0 && <div className="muted">{t(TEXT.noChange)}</div>}
                {(refusal ? lines.slice(1) : lines).map((line) => (
                  <div key={line}>{line}</div>
                ))}
                {interruptions.map((line) => (
                  <StatusLabel key={line} tone="warn" text={line} />
                ))}
              </div>
            </li>
          ))}
      </ul>
    </>
  )
}

/** A part that is asked for in a dialog of its own. */
function dialogPart(open: () => Promise<boolean>): Pick<Part, 'open' | 'form' | 'fields'> {
  const submit = (event: { preventDefault(): void }) => {
    event.preventDefault()
    return open()
  }
  return { open, form: { submit, busy: false }, fields: null }
}

type PartOf = Pick<Part, 'form' | 'fields'>
type SetPlan = (plan: readonly PlannedChange[]) => void

/** The rules of the fields, with the placeholders of the first channel, and those of the keys of all channels. */
function outputRules(channels: readonly Channel[]): RuleSet<SourceValues> {
  const [first = { name: '' }] = channels
  const { key, ...rules } = destinationRules
  return {
    ...Object.fromEntries(
      Object.entries(rules).map(([name, rule]) => [
        name,
        (value: string, all: SourceValues) => rule(expandText(value, first, 1), all)
      ])
    ),
    'bind-port': (value, all) => (all.kind === 'listener' ? port(value) : undefined),
    ...Object.fromEntries(channels.map((channel) => [keyField(channel), key]))
  }
}

function useOutputForm(channels: readonly Channel[], setPlan: SetPlan): PartOf {
  const destinations = destinationsWith(useStore($presets).items).filter(({ id }) => id && id !== DECODER)
  const form: Form<SourceValues> = useForm<SourceValues>(
    outputRules(channels),
    {
      ...destinationValues('listener', []),
      ...Object.fromEntries(channels.map((channel) => [keyField(channel), '']))
    },
    async (values) => {
      setPlan(await planOutputs(channels, values))
      return undefined
    }
  )
  const fields = destinationFields(form.values)
  const hasKeys = fields.some(({ wireName }) => wireName === 'key')
  return {
    form,
    fields: (
      <DestinationPicker form={form} destinations={destinations}>
        <SourceFields form={form} fields={fields.filter(({ wireName }) => wireName !== 'key')} />
        {fields.some(({ secret }) => !secret) && <p className="muted">{t(TEXT.placeholders)}</p>}
        {hasKeys && (
          <fieldset className="field">
            <legend>{t(TEXT.keyHint)}</legend>
            {channels.map((channel) => (
              <PasswordField key={channel.id} {...form.field(keyField(channel))} label={channel.name} />
            ))}
          </fieldset>
        )}
      </DestinationPicker>
    )
  }
}

/** A kind of outputs that can be removed together. */
interface OutputKind {
  value: string
  name: string
  matches: (output: ChannelOutput) => boolean
}

/** Whether a stored output has all settings of a preset. */
const isOfPreset = ({ protocol, config }: OutputPreset, output: Output | undefined): boolean =>
  output?.protocol === protocol &&
  Object.entries(config).every(([field, value]) => (output.config as Record<string, unknown>)[field] === value)

const outputKinds = (presets: readonly OutputPreset[], stored: readonly Output[]): readonly OutputKind[] => [
  ...SERVICES.map(({ id, name, url }) => ({
    value: id,
    name,
    matches: ({ addr = '' }: ChannelOutput) => addr.startsWith(url)
  })),
  ...presets.map((preset) => ({
    value: String(preset.id),
    name: preset.name,
    matches: ({ id }: ChannelOutput) =>
      isOfPreset(
        preset,
        stored.find((output) => output.id === id)
      )
  })),
  ...Object.entries(OUTPUT_PROTOCOL_NAMES).map(([protocol, name]) => ({
    value: name,
    name,
    matches: (output: ChannelOutput) =>
      output.protocol === Number(protocol) && stored.some(({ id }) => id === output.id)
  })),
  { value: DECODER, name: t(DIALOG_TEXT.decoder), matches: ({ sn }: ChannelOutput) => sn !== undefined }
]

function useRemovalForm(channels: readonly Channel[], setPlan: SetPlan): PartOf {
  const kinds = outputKinds(useStore($presets).items, useStore($outputs).items)
  const all = channels.flatMap(({ outputs }) => outputs.list)
  const options = kinds.flatMap(({ value, name, matches }) => {
    const count = all.filter(matches).length
    return count > 0 ? [{ value, label: `${name} (${count})` }] : []
  })
  const form = useForm({ kind: required }, { kind: '' }, async ({ kind }) => {
    const { matches = () => false } = kinds.find(({ value }) => value === kind) ?? {}
    setPlan(await planRemoval(channels, matches))
    return undefined
  })
  return {
    form,
    fields: (
      <SelectField
        {...form.field('kind')}
        label={t(TEXT.which)}
        hint={t(TEXT.whichHint)}
        placeholder={t(CHANNEL_TEXT.none)}
        options={options}
      />
    )
  }
}

function useFailoverForm(channels: readonly Channel[], setPlan: SetPlan): PartOf {
  const form: Form<FailoverValues> = useForm<FailoverValues>(
    {
      switchAfter: optional(switchAfterRule),
      switchBack: (value) => (value === '0' ? undefined : optional(switchBackRule)(value))
    },
    { node: '', switchAfter: '', switchBack: '', 'switch-on-track-loss': '', 'hold-both': '', slate: '' },
    async (values) => {
      setPlan(await planSettings(channels, (channel) => failoverChange(channel, values)))
      return undefined
    }
  )
  return {
    form,
    fields: (
      <>
        <fieldset className="field">
          <legend>{t(CHANNEL_TEXT.addBackup)}</legend>
          <InputField {...form.field('node')} placeholder={t(TEXT.keep)} />
        </fieldset>
        <div className="fields">
          <NumberField {...form.field('switchAfter')} label={LABELS.switchAfter()} placeholder={t(TEXT.keep)} />
          <NumberField
            {...form.field('switchBack')}
            label={LABELS.switchBack()}
            placeholder={t(TEXT.keep)}
            hint={t(TEXT.backHint)}
          />
        </div>
        {SWITCHES.map((field) => (
          <SelectField
            key={field}
            {...form.field(field)}
            label={LABELS[field]()}
            placeholder={t(TEXT.keep)}
            options={[
              { value: 'true', label: t(TEXT.on) },
              { value: 'false', label: t(TEXT.off) }
            ]}
          />
        ))}
      </>
    )
  }
}

const NO_SCHEDULE: Schedule = { zone: 'UTC', rules: [] }

function useScheduleForm(channels: readonly Channel[], setPlan: SetPlan): PartOf {
  const [first = NO_SCHEDULE, ...others] = channels.map(({ config }) => config.schedule ?? NO_SCHEDULE)
  const isShared = others.every((other) => JSON.stringify(other) === JSON.stringify(first))
  const form = useForm(
    { schedule: scheduleRules },
    { schedule: isShared ? first : NO_SCHEDULE },
    async ({ schedule }) => {
      setPlan(await planSettings(channels, (channel) => scheduleChange(channel, schedule)))
      return undefined
    }
  )
  return {
    form,
    fields: (
      <>
        <p className="muted">{t(TEXT.clearHint)}</p>
        <ScheduleField {...form.field('schedule')} />
      </>
    )
  }
}
