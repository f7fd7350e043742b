/** Shapes of the import body, as this package fills them in, beside those that follow from the data. */

export interface Money {
  amount: number
  currency: 'USD'
}

export interface Picture {
  url: string
  alt: string
}

export interface Variant {
  sku: string
  options: Record<string, string>
  price?: Money
  compareAtPrice?: Money
  inventory: number
  imageId?: string
}

export interface Fit {
  verdict: 'true-to-size' | 'runs-small' | 'runs-large' | null
  note: string
  model?: { height: number; size: string; label: string }
}

export interface Fabric {
  composition: [string, number][]
  weight: number
  weave: string
  origin: string
  certifications: string[]
}

export interface Feature {
  icon: string
  title: string
  body: string
}

export interface Assurance {
  icon: string
  label: string
  note?: string
}

export interface Enrichment {
  highlights?: { key: string; value: string }[]
  features?: Feature[]
  assurances?: Assurance[]
  maker?: { name: string; location: string }
  specs?: Record<string, string>
  manufacturer?: {
    genericName: string
    countryOfOrigin: string
    manufacturer: string
    packer: string
    netQuantity: string
    packOf: string
  }
}

export interface Review {
  product: string
  author: string
  rating: number
  body: string
  createdAt: string
  verified: boolean
  size: string
  height: string
  fit: 'small' | 'true' | 'large'
  photos: Picture[]
}

export interface Discount {
  code: string
  kind: 'percent' | 'fixed' | 'shipping'
  value: number
  label: string
  active: boolean
  startsAt?: string
  endsAt?: string
  minSubtotal?: number
  usageLimit?: number
  perCustomerLimit?: number
  categories?: string[]
  products?: string[]
}
