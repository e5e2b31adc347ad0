package program

// KindModel is the kind of models.
const KindModel = "model"
