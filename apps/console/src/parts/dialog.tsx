import { Modal, type ModalProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** A dialog over the page, with a button to close it. */
export function Dialog(props: ModalProps): ReactNode {
  const { t } = useTranslation()
  return <Modal closeButtonProps={{ 'aria-label': t('common.close') }} {...props} />
}
