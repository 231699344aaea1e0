interface BannerProps {
  /** A `status` is read by screen readers when they are idle, an `alert` at once. */
  role: 'status' | 'alert'
  /** Without a text there is no banner. */
  text: string | undefined
}

/** A sentence above the matrix: why nothing can be switched. */
export function Banner({ role, text }: BannerProps) {
  return text ? (
    <p className="banner" role={role}>
      <span>{text}</span>
    </p>
  ) : null
}
