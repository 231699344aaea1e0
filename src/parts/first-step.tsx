import type { ReactNode } from 'react'
import type { Access } from '../../contract/call.ts'
import { $isAllowed } from '../state/session.ts'
import { type Translation, t } from '../text/language.ts'
import { useStore } from '../ui/use-store.ts'

const ASK: Translation = ['Ask an administrator to add one.', '请联系管理员添加。']

/** The button of an empty list that adds the first object. Without the permission, who can add it. */
export function FirstStep({ call, children }: { call: { access: Access }; children: ReactNode }) {
  return useStore($isAllowed)(call) ? children : <p className="muted">{t(ASK)}</p>
}
