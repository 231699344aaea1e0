// A banner above every screen. What stays as it is for a day can be put off for a day in this browser.
import { type ReactNode, useState } from 'react'
import { CACHE_PREFIX } from '../../contract/limits.ts'
import { $passwordNotice } from '../state/session.ts'
import { t } from '../text/language.ts'
import type { Tone } from '../text/states.ts'
import { Button } from '../ui/button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { useStore } from '../ui/use-store.ts'
import { openPasswordDialog } from './account-dialogs.tsx'
import * as TEXT from './text.ts'

export const DAY = 24 * 60 * 60 * 1000

interface BannerProps {
  /** Screen readers read a banner at once, unless its tone is `off`. */
  tone: Tone
  /** Default: a warning sign. */
  icon?: IconName
  text: string
  /** Key under which the browser stores until when the banner is hidden. Without it, it cannot be hidden. */
  name?: string | undefined
  /** The way to mend it. */
  children?: ReactNode
}

export function Banner({ tone, icon = 'warning', text, name, children }: BannerProps) {
  const key = `${CACHE_PREFIX}later-${name}`
  const [putOffUntil, setPutOffUntil] = useState(Number(localStorage.getItem(key)))
  const putOff = () => {
    const until = Date.now() + DAY
    localStorage.setItem(key, String(until))
    setPutOffUntil(until)
  }
  if (name && Date.now() < putOffUntil) return null
  return (
    <p className="banner" data-tone={tone} role={tone === 'off' ? undefined : 'alert'}>
      <Icon name={icon} />
      <span className="cut" data-tip="">
        {text}
      </span>
      {children}
      {name && <Button iconOnly icon="close" label={t(TEXT.putOff)} onClick={putOff} />}
    </p>
  )
}

/**
 * Warns while the default password is in use. It can be put off, because the hub accepts that password from its own
 * machine only.
 */
export function PasswordBanner() {
  if (!useStore($passwordNotice)) return null
  return (
    <Banner name="password" tone="off" icon="key" text={t(TEXT.defaultPassword)}>
      <Button label={t(TEXT.password)} onClick={openPasswordDialog} />
    </Banner>
  )
}
