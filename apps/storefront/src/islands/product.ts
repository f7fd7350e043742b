// Runs on pages of products.
document.documentElement.classList.add('has-product')
