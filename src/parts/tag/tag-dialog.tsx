// The dialog in which tags are put on objects and taken from them, and in which tags are added, edited and deleted.
import { useState } from 'react'
import type { Access, Envelope } from '../../../contract/call.ts'
import { NAME_EXISTS, SUCCESS } from '../../../contract/codes.ts'
import { setDeviceSecurity } from '../../../contract/device/device.ts'
import { labelName } from '../../../contract/rules/label.ts'
import {
  addTag,
  assignTags,
  deleteTag,
  setTag,
  setTagSecurity,
  TAG_COLORS,
  type Tag,
  type TaggedKind
} from '../../../contract/tag.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { send } from '../../link/send.ts'
import { mutate, sendMutation } from '../../state/mutations.ts'
import { $isAllowed } from '../../state/session.ts'
import { $tags } from '../../state/tags.ts'
import { t } from '../../text/language.ts'
import { number } from '../../text/numbers.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { Button } from '../../ui/button.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import * as UI from '../../ui/text.ts'
import { useStore } from '../../ui/use-store.ts'
import { openAccess } from '../access/open-access.ts'
import { CallButton } from '../actions.tsx'
import { usePlaceholder } from '../load-state.tsx'
import { PREVIEW } from '../preview-text.ts'
import { COLOR_VALUES, type Tagged } from './tag-chips.tsx'
import * as TEXT from './text.ts'

interface TagDialogProps {
  kind: TaggedKind
  objects: readonly Tagged[]
  /** Takes what the user has selected, instead of saving it. */
  onSelect?: (add: readonly Tag[], remove: readonly Tag[]) => void
  onClose: (saved?: boolean) => void
}

/** Objects in one call: the most that the hub takes. */
const BATCH_SIZE = 1000

const idsOf = (objects: readonly Tagged[]) => objects.map(({ id }) => id)

/** The fields of a request that name the objects. */
const requestOf = (kind: TaggedKind, objects: readonly Tagged[]) => ({
  ...(kind === 'channel' && { channels: idsOf(objects) }),
  ...(kind === 'source' && { sources: idsOf(objects) }),
  ...(kind === 'device' && { sn: objects.flatMap(({ sn }) => sn ?? []) })
})

/** Puts tags on objects and takes others from them. */
async function sendTags(
  kind: TaggedKind,
  objects: readonly Tagged[],
  add: readonly number[],
  remove: readonly number[]
): Promise<Envelope> {
  let reply: Envelope = { result: SUCCESS }
  for (let start = 0; start < objects.length && reply.result === SUCCESS; start += BATCH_SIZE) {
    const batch = objects.slice(start, start + BATCH_SIZE)
    reply = await send(assignTags, { ...requestOf(kind, batch), add: [...add], remove: [...remove] })
  }
  return reply
}

/** Takes back what `sendTags` did: an object keeps a tag that it had before, and gets none that it did not have. */
async function withdrawTags(
  kind: TaggedKind,
  objects: readonly Tagged[],
  added: readonly number[],
  removed: readonly number[]
): Promise<Envelope> {
  let reply: Envelope = { result: SUCCESS }
  const changesOf = ({ tags = [] }: Tagged) => ({
    add: removed.filter((id) => tags.includes(id)),
    remove: added.filter((id) => !tags.includes(id))
  })
  for (const group of Map.groupBy(objects, (object) => JSON.stringify(changesOf(object))).values()) {
    const { add, remove } = changesOf(group[0] as Tagged)
    if (add.length + remove.length > 0 && reply.result === SUCCESS) reply = await sendTags(kind, group, add, remove)
  }
  return reply
}

export function TagDialog({ kind, objects, onSelect, onClose }: TagDialogProps) {
  const { items } = useStore($tags)
  /** The tags that the user has put on all objects (true) or taken from them (false). */
  const [choice, setChoice] = useState<ReadonlyMap<number, boolean>>(new Map())
  const [busy, setBusy] = useState(false)
  const choose = (id: number, isSet: boolean) => setChoice((previous) => new Map(previous).set(id, isSet))
  const chosen = (isSet: boolean) => items.flatMap(({ id }) => (choice.get(id) === isSet ? id : []))
  const [first] = objects
  const subject = objects.length === 1 && first ? first.name : t(TEXT.count, objects.length)

  const placeholder = usePlaceholder($tags, items.length === 0, <p>{t(TEXT.empty)}</p>)

  const submit = async (event: { preventDefault(): void }) => {
    event.preventDefault()
    const [add, remove] = [chosen(true), chosen(false)]
    if (add.length + remove.length === 0) return onClose(true)
    if (onSelect) {
      const tagsWith = (ids: readonly number[]) => items.filter(({ id }) => ids.includes(id))
      onSelect(tagsWith(add), tagsWith(remove))
      return onClose(true)
    }
    setBusy(true)
    const success = { text: OUTCOME.saved, names: [t(TEXT.of, t(TEXT.tags), subject)] }
    const undo = () => mutate(() => withdrawTags(kind, objects, add, remove), { success })
    const response = await mutate(() => sendTags(kind, objects, add, remove), {
      success: { ...success, undo },
      attempt: assignTags.path
    })
    setBusy(false)
    if (response.result === SUCCESS) onClose(true)
  }
  const addNew = async () => {
    let added = 0
    await openDialog(TagForm, {
      onAdded: (id: number) => {
        added = id
      }
    })
    // A new tag is meant for these objects.
    if (added) choose(added, true)
  }

  return (
    <Dialog
      title={t(TEXT.of, t(TEXT.tags), subject)}
      onClose={() => onClose()}
      onSubmit={submit}
      footer={
        <>
          <Button icon="plus" label={t(TEXT.add)} onClick={() => void addNew()} />
          <Button submit kind="main" label={t(onSelect ? PREVIEW : UI.save)} busy={busy} />
        </>
      }
    >
      {placeholder ?? (
        <ul className="lines">
          {items.map((tag) => (
            <TagLine
              key={tag.id}
              tag={tag}
              kind={kind}
              count={objects.filter(({ tags }) => tags?.includes(tag.id)).length}
              total={objects.length}
              choice={choice.get(tag.id)}
              onChoose={(isSet) => choose(tag.id, isSet)}
            />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

interface TagLineProps {
  tag: Tag
  kind: TaggedKind
  /** Number of the objects that have the tag, of all. */
  count: number
  total: number
  /** What the user has chosen. */
  choice: boolean | undefined
  onChoose: (isSet: boolean) => void
}

function TagLine({ tag, kind, count, total, choice, onChoose }: TagLineProps) {
  const isPartly = choice === undefined && count > 0 && count < total
  // React's types do not declare `indeterminate`, which is a property of the element and not an attribute.
  const mixed = { indeterminate: isPartly }
  const isAllowed = useStore($isAllowed)
  const reasonWithout = (call: { access: Access }) =>
    tag['gives-access'] && !isAllowed(call) ? t(TEXT.locked) : undefined
  const assignReason = reasonWithout(kind === 'device' ? setDeviceSecurity : setTagSecurity)
  const changeReason = reasonWithout(setTagSecurity)
  const removeTag = async () => {
    const { id, name, uses } = tag
    const text = uses > 0 ? t(TEXT.removeText, number(uses)) : undefined
    if (!(await confirm({ text, confirmLabel: t(TEXT.remove, name), danger: true }))) return
    await sendMutation(deleteTag, { id }, { success: { text: OUTCOME.deleted, names: [name] } })
  }
  return (
    <li>
      <div>
        <label>
          <input
            type="checkbox"
            checked={choice ?? count === total}
            {...mixed}
            disabled={assignReason !== undefined}
            onChange={(event) => onChoose(event.currentTarget.checked)}
          />{' '}
          <span className="tag" style={{ '--tag': COLOR_VALUES[tag.color] } as object}>
            {tag.name}
          </span>{' '}
          {tag['gives-access'] && <small className="muted">{assignReason ?? t(TEXT.givesAccess)}</small>}{' '}
          {isPartly && <small className="muted">{t(TEXT.partly, count, total)}</small>}
        </label>
      </div>
      <span className="row">
        <CallButton
          call={setTagSecurity}
          iconOnly
          icon="key"
          label={t(TEXT.access, tag.name)}
          onClick={() => openAccess({ of: 'tag', objects: [tag] })}
        />
        <Button
          iconOnly
          icon="edit"
          label={t(TEXT.change, tag.name)}
          disabled={changeReason !== undefined}
          tooltip={changeReason}
          onClick={() => void openDialog(TagForm, { tag })}
        />
        <Button
          iconOnly
          icon="delete"
          label={t(TEXT.remove, tag.name)}
          disabled={changeReason !== undefined}
          tooltip={changeReason}
          onClick={() => void removeTag()}
        />
      </span>
    </li>
  )
}

interface TagFormProps {
  /** The tag to edit; without it, one is added. */
  tag?: Tag
  onAdded?: (id: number) => void
  onClose: (saved?: boolean) => void
}

/** Name and colour of a tag. */
function TagForm({ tag, onAdded, onClose }: TagFormProps) {
  const form = useForm(
    { name: labelName },
    { name: tag?.name ?? '', color: tag?.color ?? TAG_COLORS[1] },
    async (values, failureOptions) => {
      const options = {
        ...failureOptions,
        success: { text: tag ? OUTCOME.saved : OUTCOME.added, names: [values.name] }
      }
      if (tag) return sendMutation(setTag, { id: tag.id, ...values }, options)
      const response = await sendMutation(addTag, values, options)
      if (response.result === SUCCESS) onAdded?.(response.id)
      return response
    },
    { fieldOfCode: { [NAME_EXISTS]: 'name' }, onSuccess: () => onClose(true) }
  )
  return (
    <FormDialog
      form={form}
      title={tag ? t(TEXT.change, tag.name) : t(TEXT.add)}
      submitLabel={tag ? undefined : t(TEXT.add)}
      onClose={() => onClose()}
    >
      <TextField {...form.field('name')} label={t(TEXT.name)} />
      <SelectField
        {...form.field('color')}
        label={t(TEXT.color)}
        options={TAG_COLORS.map((value) => ({ value, label: t(TEXT.COLORS[value]) }))}
      />
    </FormDialog>
  )
}
