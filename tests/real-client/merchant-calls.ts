import type { Connection, Query } from './connection.ts'
import { itemsOf, objectAt, type Json } from './replies.ts'

const part = encodeURIComponent

export function catalogAdminCalls({ kept, get, post, patch, remove, keepSession }: Connection) {
  return {
    dropAdmin: () => void kept.delete('admin'),
    adminLogin: async (body: Json) => keepSession('admin')(await post('/admin/auth/login', body)),
    adminListProducts: async (query: Query = {}) =>
      objectAt(await get('/admin/products', query), 'GET /admin/products'),
    adminGetProduct: async (id: string) =>
      objectAt(await get(`/admin/products/${part(id)}`), 'GET /admin/products/:id'),
    adminSaveProduct: async (product: Json) =>
      objectAt(
        typeof product['id'] === 'string'
          ? await patch(`/admin/products/${product['id']}`, product)
          : await post('/admin/products', product),
        '/admin/products',
      ),
    adminDeleteProduct: (id: string) => remove(`/admin/products/${part(id)}`),
    adminSetInventory: (variantId: string, quantity: number) =>
      patch(`/admin/variants/${part(variantId)}/inventory`, { quantity }),
    adminAdjustInventory: (variantId: string, delta: number) =>
      post(`/admin/variants/${part(variantId)}/inventory`, { delta }),
    adminSaveCategory: async (category: Json) =>
      objectAt(await post('/admin/categories', category), 'POST /admin/categories'),
    adminDeleteCategory: (slug: string) => remove(`/admin/categories/${part(slug)}`),
  }
}

export function shopAdminCalls({ get, post, patch, remove }: Connection) {
  return {
    adminUpdateSettings: async (document: Json) =>
      objectAt(await patch('/admin/storefront', document), 'PATCH /admin/storefront'),
    adminImport: async (body: Json) => objectAt(await post('/admin/import', body), 'POST /admin/import'),
    adminExport: async () => objectAt(await get('/admin/export'), 'GET /admin/export'),
    adminSaveSizeChart: async (chart: Json) =>
      objectAt(await post('/admin/size-charts', chart), 'POST /admin/size-charts'),
    adminRefundOrder: async (id: string, body: Json) =>
      objectAt(await post(`/admin/orders/${part(id)}/refunds`, body), 'POST /admin/orders/:id/refunds'),
    adminUpdateOrder: async (id: string, body: Json) =>
      objectAt(await patch(`/admin/orders/${part(id)}`, body), 'PATCH /admin/orders/:id'),
    adminListOrders: async (query: Query = {}) => itemsOf(await get('/admin/orders', query), 'GET /admin/orders'),
    adminListDiscounts: async () => itemsOf(await get('/admin/discounts'), 'GET /admin/discounts'),
    adminSaveDiscount: (body: Json) => post('/admin/discounts', body),
    adminDeleteDiscount: (code: string) => remove(`/admin/discounts/${part(code)}`),
    adminGetCredentials: async () => objectAt(await get('/admin/credentials'), 'GET /admin/credentials'),
    adminSaveCredentials: (body: Json) => post('/admin/credentials', body),
    adminSendTestNotification: async (body: Json) =>
      objectAt(await post('/admin/notifications/test', body), 'POST /admin/notifications/test'),
    listLibrary: async () => objectAt(await get('/admin/library'), 'GET /admin/library'),
    saveLibraryItem: async (kind: string, item: Json) =>
      objectAt(await post(`/admin/library/${kind}`, item), 'POST /admin/library'),
    deleteLibraryItem: (kind: string, id: string) => remove(`/admin/library/${kind}/${part(id)}`),
    async uploadMedia(file: Blob, name: string) {
      const form = new FormData()
      form.append('file', file, name)
      return objectAt(await post('/admin/media', form), 'POST /admin/media')
    },
    listMedia: async () => itemsOf(await get('/admin/media'), 'GET /admin/media'),
    deleteMedia: (id: string) => remove(`/admin/media/${part(id)}`),
  }
}
