// The devices and channels that a user or the members of a user group see, each with the reason.
import { atom } from 'nanostores'
import { useLayoutEffect } from 'react'
import type { SeenBecause } from '../../../contract/access/visibility.ts'
import {
  listVisibleObjects,
  type VisibleObject,
  type VisibleObjectsRequest
} from '../../../contract/access/visible-objects.ts'
import { setDeviceSecurity } from '../../../contract/device/device.ts'
import { setChannelSecurity } from '../../../contract/stream/channel-security.ts'
import { EVERYONE, sourceText } from '../../parts/access/audience.ts'
import { openAccess } from '../../parts/access/open-access.ts'
import * as ACCESS_TEXT from '../../parts/access/text.ts'
import { CallButton } from '../../parts/actions.tsx'
import { LoadState } from '../../parts/load-state.tsx'
import { channelLink, linkTo } from '../../paths.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { isMissing } from '../../state/other-hub.ts'
import { type Translation, t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import * as UI from '../../ui/text.ts'
import { useStore } from '../../ui/use-store.ts'

const TEXT = {
  title: ['What {0} sees', '{0}可见的内容'],
  channels: ['Channels', '频道'],
  devices: ['Devices', '设备'],
  visible: ['Visible ({0})', '可见（{0}）'],
  notVisible: ['Not visible ({0})', '不可见（{0}）'],
  none: ['None', '无'],
  more: ['{0} more. Search to find them.', '还有 {0} 项，请搜索。'],
  denied: [
    'The user group has no permission to view devices or channels of this kind, so none is visible.',
    '该用户组没有查看此类对象的权限，因此均不可见。'
  ],
  excluded: ['Not included', '未包含'],
  reason: ['{0} · {1}', '{0} · {1}']
} as const satisfies Record<string, Translation>

const REASONS: Readonly<Record<SeenBecause, Translation>> = {
  admin: ['Administrators see everything', '管理员可见全部'],
  everyone: EVERYONE,
  group: ['User group', '用户组'],
  user: ['This user', '该用户'],
  tag: ['Tag', '标签']
}

/** Objects in the list. More are found by searching. */
const COUNT = 100

type Audience = Pick<VisibleObjectsRequest, 'usr' | 'group'>

/** The card on screen sets the user or group. */
const $request = atom<VisibleObjectsRequest>({ of: 'channel' })
const $objects = createLiveValue({ call: listVisibleObjects, request: $request, pace: 'slowest', topic: 'user' })

const select = (change: Partial<VisibleObjectsRequest>) => $request.set({ ...$request.get(), ...change })

function ObjectLine({ object, of }: { object: VisibleObject; of: VisibleObjectsRequest['of'] }) {
  const { id, sn = '', name, because, tag, from, 'from-name': origin, 'catalog-id': catalog = 0 } = object
  const reason = t(because ? REASONS[because] : TEXT.excluded)
  const link = of === 'channel' ? channelLink(id) : linkTo('deviceDetail', { sn, catalog: String(catalog) })
  return (
    <li>
      <span className="cut">
        <a href={`#${link}`}>{name}</a>
        <small className="muted">
          {' '}
          {because === 'admin' ? reason : t(TEXT.reason, reason, tag ?? sourceText(from, origin))}
        </small>
      </span>
      {because !== 'admin' && (
        <CallButton
          call={of === 'channel' ? setChannelSecurity : setDeviceSecurity}
          icon="key"
          iconOnly
          label={`${t(ACCESS_TEXT.access)}: ${name}`}
          onClick={() => openAccess({ of, objects: [object] })}
        />
      )}
    </li>
  )
}

/** @param name of the user or user group */
export function VisibleObjectsCard({ name, ...audience }: Audience & { name: string }) {
  const { usr, group } = audience
  useLayoutEffect(() => $request.set({ ...audience, of: 'channel', count: COUNT }), [usr, group])
  const { of, hidden = 0, key = '' } = useStore($request)
  const { phase, value } = useStore($objects)
  const { list = [], total = 0, 'num-visible': visible = 0, 'num-all': all = 0 } = value ?? {}
  if (isMissing(listVisibleObjects.path)) return null
  // While the next selection is loading, the store has the previous one.
  const isEmpty = phase === 'loading' || list.length === 0
  return (
    <Card title={t(TEXT.title, name)} fullWidth>
      <div className="tools">
        <SegmentedControl
          label={t(ACCESS_TEXT.access)}
          value={of}
          options={[
            { value: 'channel', label: t(TEXT.channels) },
            { value: 'device', label: t(TEXT.devices) }
          ]}
          onChange={(of) => select({ of })}
        />
        <SegmentedControl
          label={t(ACCESS_TEXT.access)}
          value={String(hidden)}
          options={[
            { value: '0', label: t(TEXT.visible, visible) },
            { value: '1', label: t(TEXT.notVisible, all - visible) }
          ]}
          onChange={(shown) => select({ hidden: Number(shown) })}
        />
        <SearchBox label={t(UI.search)} value={key} onSearch={(key) => select({ key })} />
      </div>
      {value && !value.permitted && <p className="banner">{t(TEXT.denied)}</p>}
      <LoadState store={$objects} isEmpty={isEmpty} emptyText={t(TEXT.none)}>
        <ul className="lines">
          {list.map((object) => (
            <ObjectLine key={object.id} object={object} of={of} />
          ))}
        </ul>
        {total > list.length && <p className="muted">{t(TEXT.more, total - list.length)}</p>}
      </LoadState>
    </Card>
  )
}
