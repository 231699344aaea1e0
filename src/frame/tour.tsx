// The tour of a new user: one step for each place, with a button that does the first thing there. It is shown once to
// each user in this browser, and not while something is wrong. `?tour=1` shows it again.
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Access } from '../../contract/call.ts'
import { addDevice } from '../../contract/device/address.ts'
import { CACHE_PREFIX } from '../../contract/limits.ts'
import { setDeviceName } from '../../contract/machine/name.ts'
import { addChannel } from '../../contract/stream/channel.ts'
import { linkTo } from '../paths.ts'
import { setQuery, useQuery } from '../state/location.ts'
import { $isAllowed, $session } from '../state/session.ts'
import { $system } from '../state/system.ts'
import { type Translation, t } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import { $openDialogs } from '../ui/dialog/dialog.tsx'
import { useStore } from '../ui/use-store.ts'
import { homeOf, type Place } from './menu.ts'
import { MENU } from './routes.tsx'
import { useMenu } from './use-menu.ts'

const TEXT = {
  title: ['Tour {0}/{1}: {2}', '导览 {0}/{1}：{2}'],
  next: ['Next', '下一步'],
  leave: ['Leave the tour', '退出导览'],
  open: ['Open: {0}', '打开：{0}']
} as const satisfies Record<string, Translation>

interface Step {
  text: Translation
  /** The first thing to do, for users who may do it. Others open the place. */
  action?: Translation
  call?: { access: Access }
  href?: string
}

/** In the order of the menu. */
const STEPS: readonly Step[] = [
  {
    text: [
      'All channels with picture and state: what needs help comes first.',
      '所有频道的画面和状态：需要处理的排在最前。'
    ]
  },
  {
    text: ['A channel takes a source and sends it to its destinations.', '频道接收一个来源，并发送到各个目标。'],
    action: ['Add channel', '添加频道'],
    call: addChannel,
    href: linkTo('channels', { add: 'channel' })
  },
  {
    text: [
      'Encoders and decoders: accept them, group them, and update their firmware.',
      '编码器和解码器：审批、分组、更新固件。'
    ],
    action: ['Add a device', '添加设备'],
    call: addDevice,
    href: linkTo('allDevices')
  },
  {
    text: [
      'What is wrong now, what happened to each channel, and who changed what.',
      '当前的问题、各频道的历史，以及谁更改了什么。'
    ]
  },
  {
    text: ['Users, network, certificate and backups of this hub.', '本中控的用户、网络、证书和备份。'],
    action: ['Name the hub', '命名中控'],
    call: setDeviceName,
    href: linkTo('general', { setting: 'name' })
  }
]

/** Nothing, unless the user is new or has asked for the tour. */
export function Tour() {
  const key = `${CACHE_PREFIX}tour-${useStore($session)?.name}`
  const isRequested = useQuery().has('tour')
  const [path] = useLocation()
  const { problem } = useStore($system).value?.status.system ?? {}
  const [reason, setReason] = useState<'new' | 'requested'>()
  useEffect(() => {
    const isNew = !localStorage.getItem(key) && path === linkTo('dashboard')
    if (isRequested) {
      setReason('requested')
      setQuery({ tour: undefined })
    } else if (isNew && $openDialogs.get().length === 0) setReason('new')
  }, [key, isRequested])
  // Problems that begin meanwhile are more important.
  if (!reason || (reason === 'new' && problem?.['num-new'] !== 0)) return null
  return (
    <TourSteps
      onClose={() => {
        localStorage.setItem(key, '1')
        setReason(undefined)
      }}
    />
  )
}

function TourSteps({ onClose }: { onClose: () => void }) {
  const { places } = useMenu(undefined)
  const isAllowed = useStore($isAllowed)
  const [index, setIndex] = useState(0)
  const element = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const previousFocus = document.activeElement as HTMLElement | null
    element.current?.showPopover?.()
    return () => (previousFocus?.isConnected ? previousFocus : document.getElementById('content'))?.focus()
  }, [])
  // The screen reader reads the step.
  useLayoutEffect(() => element.current?.focus(), [index])
  const place = places[index] as Place
  const { text, action, call, href } = STEPS[MENU.findIndex(({ title }) => title === place.title)] as Step
  const isDoable = call !== undefined && isAllowed(call)
  const isLast = index === places.length - 1
  const handleKey = ({ key }: KeyboardEvent) => key === 'Escape' && onClose()
  return (
    <section
      ref={element}
      className="toasts tour"
      popover="manual"
      role="dialog"
      aria-labelledby="tour-title"
      aria-describedby="tour-text"
      tabIndex={-1}
      onKeyDown={handleKey}
    >
      <div className="toast">
        <div>
          <h2 id="tour-title">{t(TEXT.title, index + 1, places.length, t(place.title))}</h2>
          <p id="tour-text">{t(text)}</p>
          <p className="row">
            <a className="button" href={`#${isDoable ? href : linkTo(homeOf(place) as 'dashboard')}`}>
              {isDoable && action ? t(action) : t(TEXT.open, t(place.title))}
            </a>
            {!isLast && <Button kind="main" label={t(TEXT.next)} onClick={() => setIndex(index + 1)} />}
            <Button label={t(TEXT.leave)} onClick={onClose} />
          </p>
        </div>
      </div>
    </section>
  )
}
