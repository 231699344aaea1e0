// Dialog that adds or edits an input or an output. Its fields come from `input-form.ts` and `output-form.ts`.
import { useEffect, useState } from 'react'
import type { Envelope } from '../../../contract/call.ts'
import { NAME_EXISTS } from '../../../contract/codes.ts'
import { notAmong } from '../../../contract/rules/compare.ts'
import type { RuleSet } from '../../../contract/rules/rules.ts'
import { HTTP, RTSP } from '../../../contract/stream/protocols.ts'
import { type InputSource, type Output, proposePort } from '../../../contract/stream/source.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { type FieldBinding, type Form, type FormOptions, useForm } from '../../form/use-form.ts'
import { send } from '../../link/send.ts'
import { linkTo } from '../../paths.ts'
import { type MutateOptions, sendMutation } from '../../state/mutations.ts'
import { $ndiSources, $outputs } from '../../state/sources.ts'
import { type Translation, t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { useStore } from '../../ui/use-store.ts'
import { useNdiMachineName } from './ndi-status.ts'
import { keyFieldsOf, PresetField, SavePresetButton } from './preset-field.tsx'
import {
  type SourceField,
  type SourceForm,
  type SourceValues,
  valuesWithoutField,
  visibleFields
} from './source-form.ts'

const TEXT = {
  edit: ['Edit {0}', '编辑 {0}'],
  name: ['Name', '名称'],
  protocol: ['Protocol', '协议'],
  listener: ['SRT listener', 'SRT 监听'],
  caller: ['SRT caller', 'SRT 呼叫'],
  rendezvous: ['SRT rendezvous', 'SRT 会合'],
  paste: ['Paste a URL', '粘贴 URL'],
  pasteHint: ['Optional. Fills the fields below.', '可选，自动填写以下各项。'],
  ignored: ['Not used from this URL: {0}', '此 URL 中未使用的参数：{0}']
} as const satisfies Record<string, Translation>

/** Id of the `datalist` element with the programs that the hub receives from an input. */
const PROGRAMS_ID = 'programs'

const KIND_LABELS: Readonly<Record<string, Translation>> = {
  listener: TEXT.listener,
  caller: TEXT.caller,
  rendezvous: TEXT.rendezvous
}

/** Label of a kind of input or output. */
const kindLabel = (kind: string) => (KIND_LABELS[kind] ? t(KIND_LABELS[kind]) : kind.toUpperCase())

interface SourceDialogProps<Source, Request> {
  schema: SourceForm<Source, Request>
  /** The source to edit; without it, the dialog adds one. */
  source?: Source & { id: number; name: string }
  /** Proposes the name of a new source. @param destination name of the chosen destination; empty without one */
  nameFor?: (destination: string) => string
  /** Values of a new source that differ from those of the form, such as those of a preset. */
  proposed?: SourceValues
  /** Label of the submit button; by default that of the form, or 'Save'. */
  submitLabel?: string
  /** The default is the label of the submit button, or the name of the source to edit. */
  title?: string
  /** Replaces the default call that saves the source. */
  save?: (request: Request, options: MutateOptions) => Promise<Envelope>
  onClose: (succeeded?: boolean) => void
}

/** Fields into which a whole URL can be pasted. */
const ADDRESS_FIELDS = ['host', 'dst-ip', 'url']
/** Characters that appear at once when a text is pasted: more than a key press adds. */
const PASTED_MIN = 6
const isPasted = (text: string, before: string) => text.length - before.length >= PASTED_MIN

function saveSource<Source, Request extends object>(
  { set, add }: SourceForm<Source, Request>,
  source: { id: number } | undefined,
  request: Request,
  options: MutateOptions
): Promise<Envelope> {
  return source ? sendMutation(set, { ...request, id: source.id }, options) : sendMutation(add, request, options)
}

/** Stream keys of outputs that players use, as far as the hub sends them to this user. */
const playbackKeys = (outputs: readonly Output[]): string[] =>
  outputs
    .filter(({ protocol }) => protocol === RTSP || protocol === HTTP)
    .flatMap(({ config }) =>
      Object.entries(config).flatMap(([name, value]) => (/^(sub-)?key$/.test(name) ? (value as string) : []))
    )

/** The rules of the form. What the hub has stored is not checked, because it may have been accepted by wider rules. */
function sourceRules<Source, Request>(
  { fields, nameRule }: SourceForm<Source, Request>,
  source: { id: number; name: string } | undefined,
  initial: SourceValues
): RuleSet<SourceValues> {
  const fieldRule = (wireName: string) => (value: string, all: SourceValues) => {
    if (source && all.kind === initial.kind && value === initial[wireName]) return undefined
    const field = visibleFields(fields, all).find((each) => each.wireName === wireName)
    const keys = field?.isUniqueKey ? playbackKeys($outputs.get().items.filter(({ id }) => id !== source?.id)) : []
    return field?.rule?.(value, all) ?? notAmong(keys)(value)
  }
  const title = (value: string, all: SourceValues) => (source?.name === value ? undefined : nameRule(value, all))
  return {
    ...Object.fromEntries(fields.map(({ wireName }) => [wireName, fieldRule(wireName)])),
    title,
    // A text that is a URL moves to the other fields as soon as it is pasted.
    pasted: (text) => (text ? { name: 'invalid' } : undefined)
  }
}

/** The values of a source, or those of a new one with the proposed ones. */
const initialValues = <Source, Request>({
  schema: { kinds, fields, valuesOf },
  source,
  nameFor,
  proposed
}: SourceDialogProps<Source, Request>): SourceValues => ({
  title: source?.name ?? nameFor?.('') ?? '',
  pasted: '',
  preset: '',
  kind: kinds[0] as string,
  ...Object.fromEntries(fields.map(({ wireName, initial: value = '' }) => [wireName, String(value)])),
  ...(source && valuesOf(source)),
  ...proposed
})

const formOptions = (initial: SourceValues, onSuccess: () => void): FormOptions<SourceValues> => ({
  fieldOfWireName: {
    name: 'title',
    // The hub rejects the URL of an input as a whole; an output has a field for its URL.
    'config.url': 'host' in initial ? 'kind' : 'url'
  },
  fieldOfCode: { [NAME_EXISTS]: 'title' },
  onSuccess
})

/** Proposes a free port for a source that listens at one. */
function usePortProposal(initial: SourceValues, setValues: (values: SourceValues) => void): void {
  useEffect(() => {
    if ('bind-port' in initial && !initial['bind-port'])
      void send(proposePort, {}).then(({ port }) => port && setValues({ 'bind-port': String(port) }))
  }, [])
}

interface PasteFieldProps {
  binding: FieldBinding<string>
  /** @returns whether the text is a URL, whose parts have moved to the other fields */
  onPaste: (text: string) => boolean
}

function PasteField({ binding, onPaste }: PasteFieldProps) {
  const { value, onValueChange, onBlur } = binding
  return (
    <TextField
      {...binding}
      label={t(TEXT.paste)}
      hint={t(TEXT.pasteHint)}
      // A URL with a scheme is recognized while it is typed, one without when it is complete.
      onValueChange={(text) => {
        const isComplete = text.includes('://') || isPasted(text, value)
        if (!isComplete || !onPaste(text)) onValueChange(text)
      }}
      onBlur={() => onPaste(value) || onBlur?.()}
    />
  )
}

export function SourceDialog<Source, Request extends object>(props: SourceDialogProps<Source, Request>) {
  const { schema, source, nameFor = (destination) => destination, onClose } = props
  const submitLabel = props.submitLabel ?? (source ? undefined : t(schema.addLabel))
  const title = props.title ?? (source && t(TEXT.edit, source.name))
  const { kinds, fields, requestOf } = schema
  const isOutput = schema.route === 'outputs'
  const { programs } = (source ?? {}) as Partial<InputSource>
  const save = props.save ?? ((request, options) => saveSource(schema, source, request, options))
  const initial = initialValues(props)
  // A name that the user has typed is kept.
  const [proposedName, setProposedName] = useState(initial.title)
  const choosePreset = ({ title: destination = '', ...values }: SourceValues) => {
    const name = nameFor(destination)
    setProposedName(name)
    form.setValues({ ...values, ...(form.values.title === proposedName && { title: name }) })
  }
  const [ignored, setIgnored] = useState<readonly string[]>([])
  const form: Form<SourceValues> = useForm(
    sourceRules(schema, source, initial),
    initial,
    (values) =>
      save(requestOf(values), {
        isShownElsewhere: form.showsError,
        success: {
          text: source ? OUTCOME.saved : OUTCOME.added,
          names: [values.title ?? ''],
          path: linkTo(schema.route)
        }
      }),
    formOptions(initial, () => onClose(true))
  )
  useNdiMachineName(isOutput && form.values.kind === 'ndi')
  usePortProposal(initial, form.setValues)
  const fillFrom = (text: string) => {
    const pasted = schema.parsePasted(text)
    if (pasted) form.setValues({ ...pasted, pasted: '' })
    setIgnored(pasted ? valuesWithoutField(fields, pasted) : [])
    return pasted !== undefined
  }
  const isNewOutput = isOutput && !source
  const keyFields = isNewOutput ? keyFieldsOf(form.values) : undefined
  return (
    <FormDialog form={form} title={title} submitLabel={submitLabel} onClose={onClose}>
      <TextField {...form.field('title')} label={t(TEXT.name)} autoFocus />
      {isNewOutput && <PresetField binding={form.field('preset')} onChoose={choosePreset} />}
      {!source && !keyFields && (
        <PasteField binding={form.field('pasted') as FieldBinding<string>} onPaste={fillFrom} />
      )}
      {!keyFields && kinds.length > 1 && (
        <SelectField
          {...form.field('kind')}
          label={t(TEXT.protocol)}
          options={kinds.map((kind) => ({ value: kind, label: kindLabel(kind) }))}
        />
      )}
      <SourceFields
        form={form}
        fields={visibleFields(fields, form.values).filter(({ wireName }) => keyFields?.includes(wireName) ?? true)}
        onPaste={fillFrom}
      />
      {isOutput && !keyFields && <SavePresetButton values={form.values} />}
      {ignored.length > 0 && (
        <p role="status" className="muted">
          {t(TEXT.ignored, ignored.join(', '))}
        </p>
      )}
      {programs && <ProgramOptions programs={programs} />}
      {form.values.kind === 'ndi' && !isOutput && schema.route !== 'destinations' && <NdiSourceOptions />}
    </FormDialog>
  )
}

/** Opens the dialog that adds a source, or edits `source`. @returns whether it was saved */
export const openSourceDialog = <Source, Request extends object>(
  schema: SourceForm<Source, Request>,
  options?: Omit<SourceDialogProps<Source, Request>, 'schema' | 'onClose'>
): Promise<boolean> => openDialog(SourceDialog<Source, Request>, { schema, ...options })

const ProgramOptions = ({ programs }: { programs: NonNullable<InputSource['programs']> }) => (
  <datalist id={PROGRAMS_ID}>
    {programs.map(({ number, codecs }) => (
      <option key={number} value={number}>
        {codecs.join(', ')}
      </option>
    ))}
  </datalist>
)

interface SourceFieldsProps {
  form: Form<SourceValues>
  fields: readonly SourceField[]
  /** Called with a text that was pasted as the address. @returns whether it was a URL that filled the form */
  onPaste?: (text: string) => boolean
}

export function SourceFields({ form, fields, onPaste }: SourceFieldsProps) {
  return fields.map((field) => (
    <SourceFieldInput
      key={field.wireName}
      field={field}
      binding={form.field(field.wireName)}
      values={form.values}
      onPaste={onPaste}
    />
  ))
}

interface SourceFieldInputProps extends Pick<SourceFieldsProps, 'onPaste'> {
  field: SourceField
  binding: FieldBinding<string>
  values: SourceValues
}

function SourceFieldInput({ field, binding, values, onPaste }: SourceFieldInputProps) {
  const { wireName, title, hint, numeric, secret, multiline, rule, options } = field
  const label = t(title)
  if (options)
    return (
      <SelectField
        {...binding}
        label={label}
        hint={hint && t(hint)}
        options={options.map(([value, text]) => ({ value, label: typeof text === 'string' ? text : t(text) }))}
      />
    )
  // A value out of range yields the fault with the range, for the hint. 65535 is out of range except for ports, which
  // have no such hint.
  const range = numeric && rule?.('65535', values)
  return (
    <TextField
      {...binding}
      label={label}
      hint={hint ? t(hint) : range && `${range.min}-${range.max}`}
      numeric={numeric}
      secret={secret}
      multiline={multiline}
      list={{ name: NDI_SOURCES_ID, program: PROGRAMS_ID }[wireName]}
      onValueChange={(value) => {
        // Somebody who types a URL must be able to finish it.
        if (!(isPasted(value, binding.value) && ADDRESS_FIELDS.includes(wireName) && onPaste?.(value)))
          binding.onValueChange(value)
      }}
    />
  )
}

/** Id of the `datalist` element. */
const NDI_SOURCES_ID = 'found-ndi'

/**
 * The hub discovers NDI sources while this component is shown. Without an NDI runtime on the hub, shows the reason and
 * the next step.
 */
function NdiSourceOptions() {
  const { items, response: reply } = useStore($ndiSources)
  const { reason, 'next-step': step } = reply?.runtime ?? {}
  return (
    <>
      <datalist id={NDI_SOURCES_ID}>
        {items.map(({ name, addr }) => (
          <option key={name} value={name}>
            {addr}
          </option>
        ))}
      </datalist>
      {reason && (
        <div className="muted">
          <p>{reason}</p>
          <p>{step}</p>
        </div>
      )}
    </>
  )
}
