// Components of the later script: a placeholder until their code has arrived.
import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react'
import { t } from '../../text/language.ts'
import { Dialog } from '../dialog/dialog.tsx'
import { ErrorState, Skeleton } from '../placeholder.tsx'
import * as TEXT from '../text.ts'
import { importLater } from './later-script.ts'

/** Renders a component when its code has arrived, and the placeholder until then. */
function createLazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  wrap: (placeholder: ReactNode, props: Props) => ReactNode
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined
  return function Lazy(props: Props) {
    const [state, setState] = useState({ attempt: 0, hasFailed: false })
    const { attempt, hasFailed } = state
    useEffect(() => {
      let isMounted = !Loaded
      if (!isMounted) return
      importLater(load, attempt > 0).then(
        (component) => {
          Loaded = component
          if (isMounted) setState({ attempt, hasFailed: false })
        },
        () => isMounted && setState({ attempt, hasFailed: true })
      )
      return () => {
        isMounted = false
      }
    }, [attempt])
    if (Loaded) return createElement(Loaded, props)
    const retry = () => setState({ attempt: attempt + 1, hasFailed: false })
    return <>{wrap(hasFailed ? <ErrorState text={t(TEXT.codeFailed)} onRetry={retry} /> : <Skeleton />, props)}</>
  }
}

/**
 * A screen of the later script. Shows a skeleton while its code is loading, and an error with Retry when that has
 * failed.
 */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return createLazy(load, (placeholder) => placeholder)
}

interface DialogProps {
  onClose: (completed?: boolean) => void
}

/** A dialog of the later script. An empty dialog shows the skeleton or the error. */
export function lazyDialog<Props extends DialogProps>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return createLazy(load, (placeholder, { onClose }) => (
    <Dialog title={t(TEXT.loading)} onClose={() => onClose()}>
      {placeholder}
    </Dialog>
  ))
}
