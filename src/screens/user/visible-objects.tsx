// The devices and channels that a user or the members of a user group see, each with the reason.
import { atom } from 'nanostores'
import { useLayoutEffect } from 'react'
import {
  listVisibleObjects,
  type VisibleObject,
  type VisibleObjectsRequest
} from '../../../contract/access/visible-objects.ts'
import { openAccess } from '../../parts/access/open-access.ts'
import { ACCESS_TEXT } from '../../parts/access/subject.ts'
import { LoadState } from '../../parts/load-state.tsx'
import { linkTo } from '../../paths.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { type Translation, t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import * as UI from '../../ui/text.ts'
import { useStore } from '../../ui/use-store.ts'

const TEXT = {
  title: ['What {0} sees', '{0}可见的内容'],
  kind: ['Devices or channels', '设备或频道'],
  channels: ['Channels', '频道'],
  devices: ['Devices', '设备'],
  shown: ['Visible or not', '是否可见'],
  visible: ['Visible ({0})', '可见（{0}）'],
  notVisible: ['Not visible ({0})', '不可见（{0}）'],
  none: ['None', '无'],
  more: ['{0} more. Search to find them.', '还有 {0} 项，请搜索。'],
  denied: [
    'The user group has no permission to view devices or channels of this kind, so none is visible.',
    '该用户组没有查看此类对象的权限，因此均不可见。'
  ],
  admin: ['Administrators see everything', '管理员可见全部'],
  everyone: ['Everyone', '所有人'],
  group: ['User group', '用户组'],
  user: ['This user', '该用户'],
  excluded: ['Not included', '未包含'],
  reason: ['{0}, {1}', '{0}，{1}'],
  own: ['set here', '单独设置'],
  catalog: ['inherited from group {0}', '继承自分组 {0}'],
  default: ['inherited from the default', '继承默认设置']
} as const satisfies Record<string, Translation>

/** Objects in the list. More are found by searching. */
const COUNT = 100

type Audience = Pick<VisibleObjectsRequest, 'usr' | 'group'>

/** The card on screen sets the user or group. */
const $request = atom<VisibleObjectsRequest>({ of: 'channel' })
const $objects = createLiveValue({ call: listVisibleObjects, request: $request, pace: 'slowest', topic: 'user' })

const select = (change: Partial<VisibleObjectsRequest>) => $request.set({ ...$request.get(), ...change })

/** Such as 'User group, inherited from group Studio'. */
function reasonText({ because, from, 'from-name': origin = '' }: VisibleObject): string {
  return because === 'admin' ? t(TEXT.admin) : t(TEXT.reason, t(TEXT[because ?? 'excluded']), t(TEXT[from], origin))
}

const linkOf = ({ id, sn, 'catalog-id': catalog = 0 }: VisibleObject) =>
  sn === undefined
    ? linkTo('channelDetail', { channelId: String(id) })
    : linkTo('deviceDetail', { sn, catalog: String(catalog) })

function openAccessTo(object: VisibleObject): Promise<boolean> {
  const { sn, 'catalog-id': catalog = 0 } = object
  return sn === undefined
    ? openAccess({ kind: 'channels', channels: [object] })
    : openAccess({ kind: 'devices', devices: [{ ...object, sn, 'catalog-id': catalog }] })
}

function ObjectLine({ object }: { object: VisibleObject }) {
  const change = async () => (await openAccessTo(object)) && $objects.refresh()
  return (
    <li>
      <span className="cut">
        <a href={`#${linkOf(object)}`}>{object.name}</a>
        <small className="muted"> {reasonText(object)}</small>
      </span>
      {object.because !== 'admin' && (
        <Button icon="key" iconOnly label={`${t(ACCESS_TEXT.access)}: ${object.name}`} onClick={() => void change()} />
      )}
    </li>
  )
}

/** @param name of the user or user group */
export function VisibleObjectsCard({ name, ...audience }: Audience & { name: string }) {
  const { usr, group } = audience
  useLayoutEffect(() => $request.set({ ...audience, of: 'channel', count: COUNT }), [usr, group])
  const request = useStore($request)
  const { phase, value } = useStore($objects)
  const { list = [], total = 0, 'num-visible': visible = 0, 'num-all': all = 0 } = value ?? {}
  // While the next selection is loading, the store has the previous one.
  const isEmpty = phase === 'loading' || list.length === 0
  return (
    <Card title={t(TEXT.title, name)} fullWidth>
      <div className="tools">
        <SegmentedControl
          label={t(TEXT.kind)}
          value={request.of}
          options={[
            { value: 'channel', label: t(TEXT.channels) },
            { value: 'device', label: t(TEXT.devices) }
          ]}
          onChange={(of) => select({ of })}
        />
        <SegmentedControl
          label={t(TEXT.shown)}
          value={request.hidden ? 'hidden' : 'visible'}
          options={[
            { value: 'visible', label: t(TEXT.visible, visible) },
            { value: 'hidden', label: t(TEXT.notVisible, all - visible) }
          ]}
          onChange={(shown) => select({ hidden: shown === 'hidden' ? 1 : 0 })}
        />
        <SearchBox label={t(UI.search)} value={request.key ?? ''} onSearch={(key) => select({ key })} />
      </div>
      {value && !value.permitted && <p className="banner">{t(TEXT.denied)}</p>}
      <LoadState store={$objects} isEmpty={isEmpty} emptyText={t(TEXT.none)}>
        <ul className="lines">
          {list.map((object) => (
            <ObjectLine key={object.id} object={object} />
          ))}
        </ul>
        {total > list.length && <p className="muted">{t(TEXT.more, total - list.length)}</p>}
      </LoadState>
    </Card>
  )
}
