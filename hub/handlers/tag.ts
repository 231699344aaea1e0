// Handlers for tags. A caller sees a tag if he may see an object with it, or if no object has it. A tag that gives
// access to its objects is changed, added and removed only by users who may set the access of these objects.
import { CHANNEL_VIEW, DEVICE_VIEW, INPUT_OUTPUT_VIEW, isPermitted } from '../../contract/access/permissions.ts'
import type { Call } from '../../contract/call.ts'
import { NOT_EXIST, NOT_PERMITTED, SUCCESS, TOO_MANY } from '../../contract/codes.ts'
import { REGISTRATION_STATE, setDeviceSecurity } from '../../contract/device/device.ts'
import { setChannelSecurity } from '../../contract/stream/channel-security.ts'
import {
  addTag,
  assignTags,
  deleteTag,
  listTags,
  OBJECT_TAGS_MAX,
  setTag,
  setTagSecurity,
  TAG_EDIT,
  TAGS_MAX,
  type Tag,
  type TaggedKind
} from '../../contract/tag.ts'
import type { Gate } from '../auth/gate.ts'
import { CallError, type Context, type Handler, handle, handleChange, requireCaller } from '../http/handler.ts'
import type { Store } from '../store/store.ts'
import { givesAccess, masksOf, type TagRow } from '../store/tags.ts'
import { requireFreeName } from './free-name.ts'
import { compareText } from './list.ts'
import { describeAccess, validateMasks } from './user/visibility-masks.ts'

interface TagParts {
  store: Store
  gate: Gate
  permissionsChanged: () => void
}

/** Characters of a log detail that lists objects, at most. */
const DETAIL_MAX = 1000

const KINDS = Object.keys(TAG_EDIT) as TaggedKind[]

/** Permission to see each kind of object. */
const VIEW = { channel: CHANNEL_VIEW, source: INPUT_OUTPUT_VIEW, device: DEVICE_VIEW }

/** The calls that set the access of each kind of object. Inputs and outputs have the access of their channels. */
const SET_ACCESS: Record<TaggedKind, Call> = {
  channel: setChannelSecurity,
  source: setChannelSecurity,
  device: setDeviceSecurity as Call
}

/** Whether the caller may set the access of a kind of object, and so add tags that give access to such objects. */
export const maySetAccess = (gate: Gate, context: Context, kind: TaggedKind): boolean =>
  gate.checkPermission(SET_ACCESS[kind], requireCaller(context)) === SUCCESS

const unique = <Value>(values: readonly Value[]): Value[] => [...new Set(values)]

interface TaggedObject {
  kind: TaggedKind
  id: number
}

/** The tags that the caller of one request may see and change. */
class TagView {
  readonly #parts: TagParts
  readonly #context: Context
  readonly #isVisible: Record<TaggedKind, (id: number) => boolean>

  constructor(parts: TagParts, context: Context) {
    const { store, gate } = parts
    const caller = requireCaller(context)
    const isDeviceVisible = gate.devicesVisibleTo(caller)
    const ifPermitted = (kind: TaggedKind, isVisible: (id: number) => boolean) =>
      isPermitted(VIEW[kind], caller.user) ? isVisible : () => false
    this.#parts = parts
    this.#context = context
    this.#isVisible = {
      channel: ifPermitted('channel', gate.channelsVisibleTo(caller)),
      source: ifPermitted('source', gate.sourcesVisibleTo(caller)),
      device: ifPermitted('device', (id) => {
        const row = store.devices.byId(id)
        return row !== undefined && isDeviceVisible(row)
      })
    }
  }

  /** The objects with a tag, also those that the caller may not see. */
  objectsWith(id: number): TaggedObject[] {
    const { tags } = this.#parts.store
    return KINDS.flatMap((kind) => tags.objectsWith(kind, id).map((object) => ({ kind, id: object })))
  }

  canSee = ({ kind, id }: TaggedObject): boolean => this.#isVisible[kind](id)

  canEdit = (object: TaggedObject): boolean =>
    isPermitted(TAG_EDIT[object.kind], requireCaller(this.#context).user) && this.canSee(object)

  /**
   * @throws CallError 31 if the caller may not edit every object with the tag, because a changed tag means something
   * else for all of them; or if the tag gives access, and the caller may not set access
   */
  requireEditable(tag: TagRow): void {
    const isEditable =
      this.objectsWith(tag.id).every(this.canEdit) &&
      (!givesAccess(tag) || maySetAccess(this.#parts.gate, this.#context, 'channel'))
    if (!isEditable) throw new CallError(NOT_PERMITTED)
  }

  /**
   * Numbers of objects, and of accepted devices, with a tag that the caller may see; undefined if the caller may not
   * see the tag.
   */
  usesOf(id: number): Pick<Tag, 'uses' | 'devices'> | undefined {
    const objects = this.objectsWith(id)
    const visible = objects.filter(this.canSee)
    if (visible.length === 0 && objects.length > 0) return undefined
    const isAccepted = (device: number) =>
      this.#parts.store.devices.byId(device)?.reg_state === REGISTRATION_STATE.accepted
    return {
      uses: visible.length,
      devices: visible.filter((object) => object.kind === 'device' && isAccepted(object.id)).length
    }
  }

  /** @throws CallError 16 */
  require(id: number): TagRow {
    this.#context.objects.push(`tag:${id}`)
    const tag = this.#parts.store.tags.byId(id)
    if (!tag || this.usesOf(id) === undefined) throw new CallError(NOT_EXIST)
    return tag
  }

  /**
   * The objects of a request, with their names.
   * @throws CallError 16 if one does not exist or the caller may not see it; 31 if the caller may not change it
   */
  requireObjects({ channels = [], sources = [], sn = [] }: { channels?: number[]; sources?: number[]; sn?: string[] }) {
    const { store } = this.#parts
    const isPort = (id: number) => store.sources.input(id) ?? store.sources.output(id)
    const found = [
      ...unique(channels).map((id) => ({ kind: 'channel' as const, row: store.channels.byId(id) })),
      ...unique(sources).map((id) => ({ kind: 'source' as const, row: isPort(id) })),
      ...unique(sn).map((serial) => ({ kind: 'device' as const, row: store.devices.bySerial(serial) }))
    ]
    return found.map(({ kind, row }) => {
      const object = { kind, id: row?.id ?? 0, name: row?.name ?? '' }
      if (!row || !this.canSee(object)) throw new CallError(NOT_EXIST)
      if (!this.canEdit(object)) throw new CallError(NOT_PERMITTED)
      return object
    })
  }
}

/** Notifies clients of the changed tags and objects after the transaction is committed. */
function announce({ store: { changes } }: TagParts, context: Context, objects: readonly TaggedObject[] = []): void {
  context.afterCommit(() => {
    changes.markChanged('tag')
    for (const { kind, id } of objects) {
      if (kind === 'source') changes.markChanged('source')
      else changes.markChanged(kind, id)
    }
  })
}

function handleAssign(parts: TagParts): Handler {
  const { tags } = parts.store
  return handleChange(assignTags, (context, { add = [], remove = [], ...request }) => {
    const view = new TagView(parts, context)
    const objects = view.requireObjects(request)
    const [added, removed] = [unique(add), unique(remove)]
    const names = (ids: number[], sign: string) => ids.map((id) => `${sign}${view.require(id).name}`)
    const changes = [...names(added, '+'), ...names(removed, '-')].join(' ')
    context.detail = `${objects.map(({ name }) => name).join(', ')}: ${changes}`.slice(0, DETAIL_MAX)
    // All tags are read before the first write, after which the cache of the table is empty.
    const before = objects.map(({ kind, id }) => new Set(tags.idsOf(kind, id)))
    const giving = new Set(tags.all().flatMap((tag) => (givesAccess(tag) ? [tag.id] : [])))
    let isAccessChanged = false
    for (const [index, { kind, id }] of objects.entries()) {
      const had = before[index] ?? new Set()
      const lost = removed.filter((tag) => had.has(tag) && !added.includes(tag))
      const gained = added.filter((tag) => !had.has(tag))
      if (had.size - lost.length + gained.length > OBJECT_TAGS_MAX)
        throw new CallError(TOO_MANY, { max: OBJECT_TAGS_MAX })
      if ([...lost, ...gained].some((tag) => giving.has(tag))) {
        if (!maySetAccess(parts.gate, context, kind)) throw new CallError(NOT_PERMITTED)
        isAccessChanged = true
      }
      for (const tag of lost) tags.take(kind, id, tag)
      for (const tag of gained) tags.put(kind, id, tag)
    }
    announce(parts, context, objects)
    if (isAccessChanged) context.afterCommit(() => parts.permissionsChanged())
    return {}
  })
}

function handleSetSecurity(parts: TagParts): Handler {
  const { store } = parts
  return handleChange(setTagSecurity, (context, { id, security }) => {
    const view = new TagView(parts, context)
    const rows = unique([id].flat()).map((each) => view.require(each))
    const names = rows.map(({ name }) => name).join(', ')
    const masks = validateMasks(store, security) ?? security
    context.detail = describeAccess(store, names, masks)
    for (const tag of rows) store.tags.setMasks(tag.id, masks)
    context.afterCommit(() => parts.permissionsChanged())
    return {}
  })
}

/** A tag as a field of a response. @param withMasks includes who sees the objects because of it */
function serialize(tag: TagRow, uses: Pick<Tag, 'uses' | 'devices'>, withMasks: boolean): Tag {
  const { id, name, color } = tag
  const access = givesAccess(tag) && { 'gives-access': true, ...(withMasks && masksOf(tag)) }
  return { id, name, color, ...uses, ...access }
}

export function tagHandlers(parts: TagParts): Handler[] {
  const { tags } = parts.store
  return [
    handle(listTags, (context) => {
      const view = new TagView(parts, context)
      const withMasks = maySetAccess(parts.gate, context, 'channel')
      const list = tags.all().flatMap((tag) => {
        const uses = view.usesOf(tag.id)
        return uses ? [serialize(tag, uses, withMasks)] : []
      })
      return { start: 0, total: list.length, list: list.sort((a, b) => compareText(a.name, b.name)) }
    }),
    handleChange(addTag, (context, { name, color }) => {
      context.detail = name
      requireFreeName(parts.store.tags.all(), name)
      if (tags.all().length >= TAGS_MAX) throw new CallError(TOO_MANY, { max: TAGS_MAX })
      const id = tags.add(name, color)
      context.objects.push(`tag:${id}`)
      announce(parts, context)
      return { id }
    }),
    handleChange(setTag, (context, { id, name, color }) => {
      const view = new TagView(parts, context)
      const tag = view.require(id)
      context.detail = tag.name === name ? name : `${tag.name} → ${name}`
      view.requireEditable(tag)
      requireFreeName(parts.store.tags.all(), name, id)
      tags.set(id, name, color)
      announce(parts, context)
      return {}
    }),
    handleChange(deleteTag, (context, { id }) => {
      const view = new TagView(parts, context)
      const tag = view.require(id)
      context.detail = tag.name
      view.requireEditable(tag)
      const objects = view.objectsWith(id)
      tags.remove(id)
      announce(parts, context, objects)
      if (givesAccess(tag)) context.afterCommit(() => parts.permissionsChanged())
      return {}
    }),
    handleAssign(parts),
    handleSetSecurity(parts)
  ]
}
