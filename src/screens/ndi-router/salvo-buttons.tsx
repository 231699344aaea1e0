// The salvos of a matrix as buttons above it.
import { type Matrix, takeSalvo } from '../../../contract/ndi/router.ts'
import { CallButton } from '../../parts/actions.tsx'
import { t } from '../../text/language.ts'
import { openSalvo } from './salvo-dialog.tsx'
import { TEXT } from './text.ts'

interface SalvoButtonsProps {
  matrix: Matrix
  /** Why nothing can be switched. */
  obstacle: string | undefined
}

export function SalvoButtons({ matrix: { id, salvos }, obstacle }: SalvoButtonsProps) {
  if (salvos.length === 0) return null
  return (
    <section className="tools" aria-label={t(TEXT.salvos)}>
      {salvos.map((salvo) => (
        <CallButton
          key={salvo.id}
          call={takeSalvo}
          label={salvo.name}
          disabledReason={obstacle}
          onClick={() => openSalvo(id, salvo)}
        />
      ))}
    </section>
  )
}
